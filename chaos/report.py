"""The outcome as a person reads it."""

from collections import Counter

from chaos.evidence import Evidence

MAX_SHOWN = 20


def report(evidence: Evidence, found: dict[str, list[str]], failure_counts: Counter[str], seed: int) -> str:
    """Counts first, then every promise and what disagrees with it."""
    lines = [f"seed {seed}", ""]
    lines += _table("trouble", failure_counts)
    lines += _table("counted", count_all(evidence))
    odd = {name: count for name, count in evidence.status_counts.items() if _is_unsuccessful(name)}
    lines += _table("answers to clients that were no success", odd)
    lines += ["promise"]
    for promise, disagreements in found.items():
        lines.append(f"  {'FAILED' if disagreements else 'kept':>6}  {promise}")
        lines += [f"            {line}" for line in disagreements[:MAX_SHOWN]]
        if len(disagreements) > MAX_SHOWN:
            lines.append(f"            … and {len(disagreements) - MAX_SHOWN} more")
    return "\n".join(lines)


def count_all(evidence: Evidence) -> dict[str, int]:
    attempts = [attempt for delivery in evidence.deliveries for attempt in delivery.attempts]
    outcomes = Counter(decided.outcome for decided in evidence.decisions)
    return {
        "requests accepted": sum(bool(request.review_ids) for request in evidence.requests),
        "  of these sent more than once": sum(request.attempts_made > 1 for request in evidence.requests),
        "  with pictures": sum(bool(request.pictures) for request in evidence.requests),
        "reviews stored": len(evidence.reviews),
        "updates accepted": sum(update.accepted for update in evidence.updates),
        "decisions accepted": outcomes["accepted"],
        "decisions refused, as another was first": outcomes["conflict"],
        "chat messages": len(evidence.messages),
        "events": len(evidence.events),
        "deliveries": len(evidence.deliveries),
        "attempts recorded": len(attempts),
        "  that failed": sum(not attempt.ok for attempt in attempts),
        "  of which nobody knows whether they arrived": sum(attempt.may_have_arrived for attempt in attempts),
        "calls the receiver saw": len(evidence.calls),
        "  deliveries taken more than once": _count_repeated(evidence),
        "copies of pictures": sum(len(review.copies) for review in evidence.reviews),
        "entries in the audit log": len(evidence.audit),
    }


def _count_repeated(evidence: Evidence) -> int:
    taken = Counter(call.delivery_id for call in evidence.calls if call.status is not None and call.status < 300)
    return sum(count > 1 for count in taken.values())


def _is_unsuccessful(name: str) -> bool:
    return not name.rpartition(" ")[2].startswith("2")


def _table(title: str, figures: "dict[str, int] | Counter[str]") -> list[str]:
    return [title, *(f"  {count:>8,}  {name}" for name, count in figures.items()), ""]
