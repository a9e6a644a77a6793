"""Words and phrases that our texts don't use, and what to write instead."""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rule:
    pattern: re.Pattern[str]
    instead: str


def _rule(pattern: str, instead: str) -> Rule:
    return Rule(re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE), instead)


RULES = (
    # People
    _rule(r"somebody|someone who is gone", "someone, or who it is"),
    _rule(r"nobody", "no one, or turn the sentence around"),
    _rule(r"anybody|everybody", "anyone, everyone"),
    _rule(r"oneself|one's own|(?<!no )(?<!least )one (?:would|may|must)", "you, your"),
    _rule(r"(?:people|person|someone) outside", "external reviewers"),
    _rule(r"administrators?", "admin, admins"),
    _rule(r"(?:is|are|be|being|was|were) away", "out of office"),
    _rule(r"stands? in for|standing in|stand-in", "delegate"),
    # Things
    _rule(r"e-mails?", "email, emails"),
    _rule(r"mails", "emails"),
    _rule(r"by mail", "by email"),
    # A page may break the line between "mail" and "server".
    _rule(
        r"(?:a|another|each|every|that|the|this) mail(?! (?:app|client|password|program|provider|scanner|server)|$)",
        "email",
    ),
    _rule(r"parcels?", "delivery"),
    _rule(r"lanes?", "per-destination limit, queue"),
    _rule(r"time limits? (?:that|which) acts?", "deadline"),
    _rule(r"mend|mends|mended|to be mended", "fix"),
    _rule(r"(?:the|a|its|their) present (?:version|content|state|value|revision)|at present", "current"),
    # Actions
    _rule(r"asks? for (?:a|another|one more) (?:re)?try|asked for (?:a|another) (?:re)?try", "request changes"),
    _rule(r"hands? over to|handed over to|hands? back", "reassign, escalate, release"),
    _rule(r"(?:is|are|was|were|be|gets?) told (?:of|about)|it is told", "say who tells whom: 'Signoff notifies …'"),
    _rule(r"taken? note of", "accepted, recorded"),
    _rule(r"(?:be|is|are|get) rid of", "remove, delete, turn off"),
    _rule(r"this once", "only once"),
    # Constructions
    _rule(r"anew", "again, or leave it out"),
    _rule(r"meanwhile", "while …, in the meantime, or leave it out"),
    _rule(r"by (?:itself|themselves)", "automatically, alone"),
    _rule(r"of which|so that none|be it|for want of|in so many words", "two sentences"),
    _rule(r"any more(?=[.,;:!?]|$)", "no longer"),
    # Spelling
    _rule(r"\w*(?:colour|behaviour|favour|honour|neighbour)\w*", "American spelling: -or"),
    _rule(r"(?:author|custom|initial|minim|normal|optim|organ|prior|recogn|sanit|serial|summar|synchron)is\w+", "-ize"),
    _rule(
        r"cancell(?:ed|ing|s)|labell(?:ed|ing)|travell(?:ed|ing)|centre|grey|licence|whilst|amongst",
        "American spelling",
    ),
)
