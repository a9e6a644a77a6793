"""Deadlines of a review type: the steps for a review that nobody decides."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated, Any, Final, Literal, cast
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, Field, StringConstraints

from signoff.accounts.assignee_lookup import resolve_groups, resolve_members
from signoff.accounts.schemas import Email
from signoff.accounts.sign_in.preferences import TimeZone
from signoff.platform.db import Executor
from signoff.platform.errors import ErrorDetail
from signoff.platform.messages import msg
from signoff.platform.schemas import RequestModel
from signoff.platform.working_hours import WorkingHours

Action = Literal["remind", "handOver", "reject", "approve"]
DECIDING_ACTIONS: Final = ("reject", "approve")
MAX_STEPS: Final = 5
MAX_DURATION: Final = 365 * 24 * 60
"""In minutes."""
MAX_WEEKS: Final = 260
"""A step that business hours stretch beyond this is a mistake, not a deadline."""

_CLOCK: Final = r"^([01][0-9]|2[0-3]):[0-5][0-9]$"
_CLOCK_OR_MIDNIGHT: Final = r"^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$"
Weekday = Annotated[int, Field(strict=True, ge=1, le=7)]


def _sort_days(days: list[int]) -> list[int]:
    return sorted(set(days))


class WorkingCalendar(RequestModel):
    """Business hours."""

    time_zone: TimeZone = Field(description="IANA time zone, for example `Europe/Berlin`.")
    days: Annotated[list[Weekday], AfterValidator(_sort_days)] = Field(
        min_length=1, max_length=7, description="Days of the week: 1 (Monday) to 7 (Sunday)."
    )
    opens: Annotated[str, StringConstraints(pattern=_CLOCK)] = Field(
        alias="from", description="Start of the working day, for example `09:00`."
    )
    until: Annotated[str, StringConstraints(pattern=_CLOCK_OR_MIDNIGHT)] = Field(
        description="End of the working day. Must be after `from`. `24:00` for midnight."
    )


class HandOverTo(RequestModel):
    users: list[Email] = Field([], max_length=200, description="Emails of members.")
    groups: list[str] = Field([], max_length=200, description="Group IDs.")


class TimeLimitStep(RequestModel):
    after_minutes: Annotated[int, Field(strict=True, ge=1, le=MAX_DURATION)] = Field(
        description="Minutes after the content arrives, counted in business hours if `calendar` is set."
    )
    action: Action
    to: HandOverTo | None = Field(None, description="New reviewers. Required for `handOver` and not allowed otherwise.")


class TimeLimits(RequestModel):
    calendar: WorkingCalendar | None = Field(None, description="`null` to count around the clock.")
    steps: list[TimeLimitStep] = Field(
        min_length=1,
        max_length=MAX_STEPS,
        description="Steps in ascending order of `afterMinutes`. A `reject` or `approve` step must be last.",
    )


async def validate_deadlines(db: Executor, account_id: str, limits: TimeLimits, errors: list[ErrorDetail]) -> None:
    """Check what involves several members: the order, the targets, and whether the members and groups exist."""
    errors += _hours_errors(limits)
    for index, step in enumerate(limits.steps):
        place = f"timeLimits.steps[{index}]"
        errors += _order_errors(limits.steps, index, place)
        if step.action != "handOver":
            if step.to is not None:
                errors.append(ErrorDetail(f"{place}.to", "not_allowed", msg("is only allowed in `handOver` steps")))
        elif step.to is None or not (step.to.users or step.to.groups):
            errors.append(
                ErrorDetail(f"{place}.to", "missing", msg("is required: the members or groups to escalate to"))
            )
        else:
            await resolve_members(db, account_id, step.to.users, f"{place}.to.users", errors)
            await resolve_groups(db, account_id, step.to.groups, f"{place}.to.groups", errors)


def _order_errors(steps: list[TimeLimitStep], index: int, place: str) -> Iterator[ErrorDetail]:
    if index == 0:
        return
    before = steps[index - 1]
    if steps[index].after_minutes <= before.after_minutes:
        message = msg("must be greater than {minutes}, the value of the previous step", minutes=before.after_minutes)
        yield ErrorDetail(f"{place}.afterMinutes", "not_rising", message)
    if before.action in DECIDING_ACTIONS:
        yield ErrorDetail(
            f"{place}.action",
            "after_the_end",
            msg("can't come after `{action}`, which ends the review", action=before.action),
        )


def _hours_errors(limits: TimeLimits) -> Iterator[ErrorDetail]:
    if limits.calendar is None:
        return
    hours = _working_hours(limits.calendar.model_dump(by_alias=True))
    if hours.closes <= hours.opens:
        yield ErrorDetail("timeLimits.calendar.until", "out_of_range", msg("must be after `from`"))
        return
    for index, step in enumerate(limits.steps):
        if step.after_minutes > hours.minutes_a_week * MAX_WEEKS:
            message = msg("would take more than five years with these business hours")
            yield ErrorDetail(f"timeLimits.steps[{index}].afterMinutes", "out_of_range", message)


@dataclass(frozen=True, slots=True)
class DeadlineStep:
    after: timedelta
    action: Action
    users: tuple[str, ...]
    """Emails of the members to escalate to."""
    groups: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DeadlinePolicy:
    hours: WorkingHours | None
    steps: tuple[DeadlineStep, ...]


def parse_deadlines(raw: dict[str, Any] | None) -> DeadlinePolicy | None:
    """Read the deadlines of a validated definition. Definitions saved before deadlines existed have none."""
    if raw is None:
        return None
    calendar = raw["calendar"]
    return DeadlinePolicy(
        hours=None if calendar is None else _working_hours(calendar),
        steps=tuple(_step(step) for step in raw["steps"]),
    )


def _step(raw: dict[str, Any]) -> DeadlineStep:
    to: dict[str, list[str]] = raw.get("to") or {"users": [], "groups": []}
    return DeadlineStep(timedelta(minutes=raw["afterMinutes"]), raw["action"], tuple(to["users"]), tuple(to["groups"]))


def _working_hours(calendar: dict[str, Any]) -> WorkingHours:
    return WorkingHours(
        zone=ZoneInfo(calendar["timeZone"]),
        days=frozenset(calendar["days"]),
        opens=_minutes(calendar["from"]),
        closes=_minutes(calendar["until"]),
    )


def _minutes(clock: str) -> int:
    hours, _, minutes = clock.partition(":")
    return int(hours) * 60 + int(minutes)


def escalation_targets(limits: Any) -> dict[int, dict[str, list[str]]]:
    """Return the assignees of the steps that escalate, by the step's index. Skips malformed ones, whose errors are
    reported elsewhere.
    """
    steps: Any = cast(dict[str, Any], limits).get("steps") if isinstance(limits, dict) else None
    targets: dict[int, dict[str, list[str]]] = {}
    for index, step in enumerate(cast(list[Any], steps) if isinstance(steps, list) else []):
        if isinstance(step, dict) and cast(dict[str, Any], step).get("action") == "handOver":
            users, groups = (_texts(cast(Any, step).get("to"), name) for name in ("users", "groups"))
            if users is not None and groups is not None and (users or groups):
                targets[index] = {"users": users, "groups": groups}
    return targets


def _texts(to: Any, name: str) -> list[str] | None:
    if not isinstance(to, dict):
        return None
    texts: Any = cast(dict[str, Any], to).get(name, [])
    well_formed = isinstance(texts, list) and all(isinstance(each, str) for each in cast(list[Any], texts))
    return cast(list[str], texts) if well_formed else None


def replace_escalation_targets(limits: dict[str, Any], targets: dict[int, dict[str, list[str]]]) -> dict[str, Any]:
    """Return the deadlines with these targets in place of those found by `escalation_targets`.

    A step without any remaining target sends a reminder instead: the people it named aren't members here.
    """
    steps: list[dict[str, Any]] = list(limits["steps"])
    for index, to in targets.items():
        if to["users"] or to["groups"]:
            steps[index] = {**steps[index], "to": to}
        else:
            steps[index] = {**steps[index], "action": "remind", "to": None}
    return {**limits, "steps": steps}
