r"""Regular expressions that an account writes and that run on people's input, in time linear in the input.

RE2 does the matching. First, the parser here reads a pattern and rewrites it in RE2's syntax, so that it means exactly
what it means in JavaScript's `u` mode. The supported syntax is what both have in common:

- literals, `.` (any character but a line end), `[a-z]`, `[^…]`, `\d \w \s` and `\D \W \S` (all ASCII but `\s`);
- `\t \n \r`, and a backslash before any of ``^$\.*+?()[]{}|/``, or before `-` inside brackets;
- `(…)`, `(?:…)`, `|`, and `* + ? {n} {n,} {n,m}`, also lazy (which changes nothing).

As in an HTML input, the pattern must match the whole value; a `^` at the start and a `$` at the end are allowed and
have no effect. Lookaround and backreferences aren't supported: neither is regular.
"""

from typing import Any, Final, TypeAlias

import re2

from signoff.platform.messages import Message, msg, msgs

MAX_SOURCE: Final = 500
MAX_COUNT: Final = 1_000
MAX_PROGRAM: Final = 12_000
"""RE2's instructions. Twelve for each character that a pattern could count before RE2 was used."""
MAX_INPUT: Final = 2_000
_MAX_GROUPS: Final = 20

_Ranges: TypeAlias = tuple[tuple[int, int], ...]

_DIGIT: Final[_Ranges] = ((48, 57),)
_WORD: Final[_Ranges] = ((48, 57), (65, 90), (95, 95), (97, 122))
_SPACE: Final[_Ranges] = (
    *((9, 13), (32, 32), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A)),
    *((0x2028, 0x2029), (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000), (0xFEFF, 0xFEFF)),
)
_LINE_ENDS: Final[_Ranges] = ((10, 10), (13, 13), (0x2028, 0x2029))
_CLASSES: Final = {"d": _DIGIT, "w": _WORD, "s": _SPACE}
_CONTROLS: Final = {"t": "\t", "n": "\n", "r": "\r"}
_SYNTAX: Final = frozenset("^$\\.*+?()[]{}|/")


TOO_COMPLEX: Final = msg("is too complex: use smaller counts in nested repetitions")


class PatternError(ValueError):
    """The pattern is malformed or isn't supported. The message follows the pattern's path."""

    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self.message = message


class Pattern:
    """A compiled pattern."""

    def __init__(self, program: Any) -> None:
        self._program = program

    def matches(self, text: str) -> bool:
        """Whether the pattern matches the whole text. The text has at most MAX_INPUT characters."""
        return self._program.fullmatch(text) is not None


def compile_pattern(source: str) -> Pattern:
    """Compile a pattern, or raise PatternError."""
    if len(source) > MAX_SOURCE:
        raise PatternError(
            msgs("must have at most {count} character", "must have at most {count} characters", count=MAX_SOURCE)
        )
    options = re2.Options()
    options.never_capture = True
    options.log_errors = False
    try:
        program = re2.compile(_Parser(source).parse(), options)
    except re2.error:  # The parser only accepts well-formed patterns.
        raise PatternError(TOO_COMPLEX) from None
    if program.programsize > MAX_PROGRAM:
        raise PatternError(TOO_COMPLEX)
    return Pattern(program)


def _one_of(ranges: _Ranges, *, negated: bool = False) -> str:
    inside = "".join(f"\\x{{{low:x}}}-\\x{{{high:x}}}" for low, high in ranges)
    return f"[{'^' if negated else ''}{inside}]"


class _Parser:
    def __init__(self, source: str) -> None:
        body = source.removeprefix("^")
        if body.endswith("$") and (len(body) - len(body[:-1].rstrip("\\"))) % 2 == 1:
            body = body[:-1]
        self._source = body
        self._at = 0
        self._open = 0

    def parse(self) -> str:
        """Return the pattern in RE2's syntax."""
        node = self._either()
        if self._at < len(self._source):
            raise PatternError(msg("has an unmatched closing parenthesis"))
        return node

    def _peek(self) -> str:
        return self._source[self._at : self._at + 1]

    def _next_character(self) -> str:
        if self._at >= len(self._source):
            raise PatternError(msg("is incomplete"))
        self._at += 1
        return self._source[self._at - 1]

    def _either(self) -> str:
        branches = [self._sequence()]
        while self._peek() == "|":
            self._at += 1
            branches.append(self._sequence())
        return f"(?:{'|'.join(branches)})"

    def _sequence(self) -> str:
        parts: list[str] = []
        while (following := self._peek()) and following not in "|)":
            parts.append(self._repeat(self._atom()))
        return "".join(parts)

    def _repeat(self, body: str) -> str:
        sign = self._peek()
        if sign not in ("*", "+", "?", "{"):
            return body
        self._at += 1
        least, most = {"*": (0, None), "+": (1, None), "?": (0, 1)}.get(sign) or self._counts()
        if self._peek() == "?":
            self._at += 1
        if self._peek() in ("*", "+", "?", "{"):
            raise PatternError(msg("has two quantifiers in a row; use parentheses"))
        return f"(?:{body}){{{least},{'' if most is None else most}}}"

    def _counts(self) -> tuple[int, int | None]:
        end = self._source.find("}", self._at)
        low, comma, high = self._source[self._at : end if end >= 0 else None].partition(",")
        self._at = end + 1
        if end < 0 or not _is_count(low) or (high and not _is_count(high)):
            raise PatternError(msg("has an invalid count in braces"))
        least = int(low)
        most = least if not comma else int(high) if high else None
        if least > MAX_COUNT or (most is not None and not least <= most <= MAX_COUNT):
            raise PatternError(
                msg("has a quantifier with counts that are out of order or above {limit}", limit=MAX_COUNT)
            )
        return least, most

    def _atom(self) -> str:
        character = self._next_character()
        if character == "(":
            return self._group()
        if character == "[":
            return self._brackets()
        if character == ".":
            return _one_of(_LINE_ENDS, negated=True)
        if character == "\\":
            return _one_of(self._escape(inside_brackets=False))
        if character in "*+?{}])^$":
            raise PatternError(
                msg("has a misplaced '{character}'; write \\{character} to match the character", character=character)
            )
        return _one_of(((ord(character), ord(character)),))

    def _group(self) -> str:
        if self._peek() == "?":
            if self._source[self._at : self._at + 2] != "?:":
                raise PatternError(msg("uses look-around or named groups, which aren't supported"))
            self._at += 2
        self._open += 1
        if self._open > _MAX_GROUPS:
            raise PatternError(msg("has groups nested more than {limit} levels deep", limit=_MAX_GROUPS))
        node = self._either()
        if self._at >= len(self._source):
            raise PatternError(msg("has an unclosed parenthesis"))
        self._at += 1
        self._open -= 1
        return node

    def _escape(self, *, inside_brackets: bool) -> _Ranges:
        character = self._next_character()
        if character.lower() in _CLASSES:
            ranges = _CLASSES[character.lower()]
            return _complement(ranges) if character.isupper() else ranges
        if character in _CONTROLS:
            code = ord(_CONTROLS[character])
        elif character in _SYNTAX or (inside_brackets and character == "-"):
            code = ord(character)
        else:
            raise PatternError(msg("uses \\{character}, which isn't supported", character=character))
        return ((code, code),)

    def _brackets(self) -> str:
        negated = self._peek() == "^"
        if negated:
            self._at += 1
        ranges: list[tuple[int, int]] = []
        while (character := self._next_character()) != "]":
            low = self._member(character)
            if self._peek() != "-" or self._source[self._at + 1 : self._at + 2] in ("]", ""):
                ranges.extend(low)
                continue
            self._at += 1
            high = self._member(self._next_character())
            if len(low) != 1 or len(high) != 1 or low[0][0] != low[0][1] or high[0][0] != high[0][1]:
                raise PatternError(msg("has a range that isn't between two characters"))
            if low[0][0] > high[0][0]:
                raise PatternError(msg("has a range in the wrong order"))
            ranges.append((low[0][0], high[0][0]))
        if not ranges:
            raise PatternError(msg("has empty brackets"))
        return _one_of(tuple(ranges), negated=negated)

    def _member(self, character: str) -> _Ranges:
        if character == "\\":
            return self._escape(inside_brackets=True)
        return ((ord(character), ord(character)),)


def _complement(ranges: _Ranges) -> _Ranges:
    edges = [-1, *(edge for low_high in ranges for edge in low_high), 0x110000]
    return tuple((edges[i] + 1, edges[i + 1] - 1) for i in range(0, len(edges), 2))


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 4
