"""Convert a case to its review's rows, as the service would have written them then."""

from datetime import datetime
from itertools import cycle
from typing import Any, Final, cast

from signoff.accounts.actors import Actor, system_actor
from signoff.demo.seed.content.models import Data, SeedReview
from signoff.demo.seed.content.users import COLLEAGUES
from signoff.demo.seed.event_rows import Events
from signoff.demo.seed.placeholders import media_in, resolve_placeholders
from signoff.demo.seed.rows import Rows, id_of
from signoff.demo.seed.seeded_review import SeededReview, blank_row
from signoff.demo.seed.timing import Rhythm
from signoff.demo.seed.workspace import DemoWorkspace, log
from signoff.forms.submission import SubmissionResult, apply_submission
from signoff.forms.suggestion import MAX_TITLE, read_suggestion, suggested_title, trigger_suggestion
from signoff.forms.versions import FormVersion
from signoff.platform.clock import iso
from signoff.platform.db import Executor
from signoff.platform.jobs.queue import enqueue_sql
from signoff.reviews.deadlines import DEADLINE_JOB, first_deadline, next_deadline
from signoff.reviews.decisions import summarize_edits
from signoff.reviews.events import AUTO_APPROVE, TIME_OUT_USER, Decision
from signoff.triggers.public_forms import NOBODYS_ID

SERVICE: Final = (AUTO_APPROVE, TIME_OUT_USER)


class ReviewSeeder:
    def __init__(self, workspace: DemoWorkspace, rows: Rows, rhythm: Rhythm) -> None:
        self.office = workspace
        self.rows = rows
        self.rhythm = rhythm
        self._events = Events(workspace, rows)
        self._deciders = cycle(COLLEAGUES)
        self._runs: dict[str, str] = {}
        self._steps: dict[str, SeededReview] = {}
        """Of runs, by their titles."""
        self._due: list[tuple[str, datetime]] = []

    def tell(self, case: SeedReview, asked: datetime | None, session_id: str | None = None) -> SeededReview:
        """Add everything that happened to a review since the request. `session_id` is the chat that it's in."""
        if asked is None:
            before = [self._steps[name].row["responded_at"] for name in case.after]
            asked = self.rhythm.soon(max(before))
        told = self._ask(case, asked, session_id)
        if case.run is not None and told.title is not None:
            self._steps[told.title] = told
        if case.ends is None:
            self._wait(told)
        else:
            self._end(told)
        self.rows.add("reviews", **told.row)
        for media_id in sorted(told.media):
            place = {"account_id": self.office.account_id, "review_id": told.review_id}
            self.rows.add("media_uses", **place, media_id=media_id)
        return told

    async def order_jobs(self, tx: Executor) -> None:
        """Enqueue the jobs of deadlines."""
        await tx.execute(
            enqueue_sql(DEADLINE_JOB, "select * from unnest($1::text[], $2::timestamptz[]) as due (subject, at)"),
            [f"{self.office.account_id}/{review_id}" for review_id, _ in self._due],
            [at for _, at in self._due],
        )

    def _ask(self, case: SeedReview, asked: datetime, session_id: str | None) -> SeededReview:
        form = self.office.forms[case.form]
        agent_id = form.agent_id or ""
        review_id, session = id_of("rev", asked), session_id or id_of("ses", asked)
        data = resolve_placeholders(self.office, case.data, asked)
        run_id, meta = self._run(case, asked, form)
        row = blank_row(self.office.account_id, form, review_id, session, agent_id, asked)
        row |= {"run_id": run_id, "prev_steps": [self._steps[name].review_id for name in case.after] or None}
        told = SeededReview(case, form, review_id, session, agent_id, asked, row, data, meta)
        if form.trigger:
            told.data = _submitted(form, data).data
        row["title"] = _title(form, told.data)
        if session_id is None:
            self._session(session, agent_id, asked)
        self._revision(told, asked)
        log(self.rows, self._visitor(told) if form.trigger else self.office.key, asked, "review.requested", review_id)
        return told

    def _run(self, case: SeedReview, asked: datetime, form: FormVersion) -> tuple[str | None, dict[str, Any] | None]:
        name = case.run
        if name is None and not form.trigger:
            return None, None
        if name is None or name not in self._runs:
            run_id = id_of("run", asked)
            self.rows.add("runs", account_id=self.office.account_id, run_id=run_id, name=name, created_at=asked)
            if name is None:
                return run_id, None
            self._runs[name] = run_id
        said: dict[str, Any] = {"runId": self._runs[name], "runName": name}
        if case.after:
            said["prevSteps"] = [self._steps[step].review_id for step in case.after]
        return self._runs[name], {"_svcWorkflow": said}

    def _session(self, session_id: str, agent_id: str, at: datetime) -> None:
        self.rows.add(
            "sessions",
            account_id=self.office.account_id,
            session_id=session_id,
            agent_id=agent_id,
            name=None,
            created_at=at,
            active_at=at,
            message_count=0,
            chat=False,
        )

    def _revision(self, told: SeededReview, at: datetime) -> None:
        told.media |= media_in(self.office, told.data)
        self.rows.add(
            "review_revisions",
            account_id=self.office.account_id,
            review_id=told.review_id,
            revision=told.revision,
            data=told.data,
            meta=told.meta,
            retry=None,
            created_at=at,
        )

    def _end(self, told: SeededReview) -> None:
        case, at = told.case, told.asked
        who = self._who(told)
        if told.form.trigger or case.by == AUTO_APPROVE:
            at = told.asked
        elif case.by == TIME_OUT_USER:
            at = self._time_out(told)
        else:
            at = self._until_decided(told, who)
        self._decide(told, who, at)

    def _until_decided(self, told: SeededReview, who: Actor) -> datetime:
        """Add what happens before the decision: the review is reassigned, taken, sent back to the agent."""
        case, at = told.case, told.asked
        if case.handed_on_by is not None:
            at = self.rhythm.decided(at)
            self._hand_on(told, at)
        if case.taken:
            at = self.rhythm.soon(at)
            self._take(told, who, at, case.asked)
        if case.again is not None:
            at = self.rhythm.decided(at)
            at = self._once_again(told, who, at)
        return self.rhythm.decided(at)

    def _who(self, told: SeededReview) -> Actor:
        case = told.case
        if told.form.trigger:
            return self._visitor(told)
        if case.by in SERVICE:
            return system_actor(self.office.account_id, cast(str, case.by))
        return self.office.people[case.by or next(self._deciders)]

    def _visitor(self, told: SeededReview) -> Actor:
        return Actor("external", self.office.account_id, NOBODYS_ID, told.data["email"], frozenset())

    def _wait(self, told: SeededReview) -> None:
        case, now = told.case, self.rhythm.now
        if case.taken:
            taker, *others = case.asked
            at = told.asked + (now - told.asked) * 0.3
            self._take(told, self.office.people[taker], at, tuple(others))
        else:
            self._assign(told, case.asked)
        self._begin_time_limit(told)
        if case.again is not None:
            by = self.office.people[next(self._deciders)]
            self._ask_again(told, by, self._half_way(told))

    def _half_way(self, told: SeededReview) -> datetime:
        """Return when changes were requested, for a review that waits for the agent."""
        return told.asked + (self.rhythm.now - told.asked) * 0.5

    def _begin_time_limit(self, told: SeededReview) -> None:
        """Set the deadline: past steps are done, and the next one is due."""
        limits = told.form.time_limits
        due = first_deadline(limits, told.asked)
        while limits is not None and due is not None and due.at < self.rhythm.now:
            assert due.action == "remind", "a review that waits was not decided by time"
            told.row |= {"reminded_at": due.at, "updated_at": due.at}
            step = {"step": due.step + 1}
            log(self.rows, system_actor(self.office.account_id), due.at, "review.reminded", told.review_id, step)
            due = next_deadline(limits, due.step, due.at, due.at)
        if due is None:
            return
        told.row |= {"due_step": due.step, "due_action": due.action}
        if told.case.again is None:
            told.row["due_at"] = due.at
            self._due.append((told.review_id, due.at))
        else:
            # While it waits for the agent, the deadline is paused.
            told.row["due_left"] = f"{(due.at - self._half_way(told)).total_seconds():.0f} seconds"

    def _time_out(self, told: SeededReview) -> datetime:
        limits = told.form.time_limits
        due = first_deadline(limits, told.asked)
        assert limits is not None, "only what has a time limit is decided by time"
        assert due is not None
        while (following := next_deadline(limits, due.step, due.at, due.at)) is not None:
            step = {"step": due.step + 1}
            log(self.rows, system_actor(self.office.account_id), due.at, "review.reminded", told.review_id, step)
            told.row["reminded_at"] = due.at
            due = following
        told.row |= {"due_step": due.step, "due_action": due.action}
        return due.at

    def _assign(self, told: SeededReview, names: tuple[str, ...]) -> None:
        for name in names:
            self.rows.add(
                "review_assignees",
                account_id=self.office.account_id,
                review_id=told.review_id,
                assignee_id=self.office.assignee(name),
                phase=_phase(told.case),
            )
        told.row["assigned"] = told.row["assigned"] or bool(names)

    def _hand_on(self, told: SeededReview, at: datetime) -> None:
        case = told.case
        assert case.handed_on_by is not None
        first, then = self.office.asked((case.handed_on_by,)), self.office.asked(case.asked)
        details = {"from": first, "to": then, **({} if case.note is None else {"note": case.note})}
        by = self.office.people[case.handed_on_by]
        log(self.rows, by, at, "review.assigned", told.review_id, details)
        self._assign(told, case.asked)

    def _take(self, told: SeededReview, who: Actor, at: datetime, before: tuple[str, ...]) -> None:
        place = {"account_id": self.office.account_id, "review_id": told.review_id}
        for name in before:
            self.rows.add("review_assignees_before", **place, assignee_id=self.office.assignee(name))
        self.rows.add("review_assignees", **place, assignee_id=who.id, phase=_phase(told.case))
        told.row |= {"assigned": True, "taken_by": who.id, "taken_at": at, "updated_at": at}
        theirs = {"users": [who.name], "groups": [], "external": []}
        details = {"from": self.office.asked(before), "to": theirs}
        log(self.rows, who, at, "review.taken", told.review_id, details)

    def _ask_again(self, told: SeededReview, by: Actor, at: datetime) -> None:
        again = told.case.again
        assert again is not None
        retry = {"at": iso(at), "by": by.name, "instructions": again.instructions, "fieldIds": list(again.fields)}
        revision = next(row for row in self.rows.of("review_revisions") if row["review_id"] == told.review_id)
        revision["retry"] = retry
        log(self.rows, by, at, "review.retry_requested", told.review_id, {"instructions": again.instructions})
        self._events.retry_requested(told, retry, at)
        told.row |= {"retry_requested": True, "updated_at": at}

    def _once_again(self, told: SeededReview, by: Actor, at: datetime) -> datetime:
        again = told.case.again
        assert again is not None
        assert again.better is not None, "who decided had other content to decide on"
        self._ask_again(told, by, at)
        answered = self.rhythm.soon(at)
        told.revision, told.data = 2, resolve_placeholders(self.office, again.better, told.asked)
        told.row |= {"revision": 2, "retry_requested": False, "title": _title(told.form, told.data)}
        self._revision(told, answered)
        log(self.rows, self.office.key, answered, "review.updated", told.review_id, {"revision": 2})
        return answered

    def _decide(self, told: SeededReview, who: Actor, at: datetime) -> None:
        case, form = told.case, told.form
        response = None if form.trigger else cast(Any, case.ends)
        outcome = self._outcome(told, response)
        decision = Decision(who, at, outcome, response, case.reason)
        marks = summarize_edits(form.definition, outcome.response_values)
        told.row |= {
            "state": "responded",
            "response": response,
            "auto_approved": decision.auto_approved,
            "timed_out": decision.timed_out,
            "responding_user": who.name,
            "responding_user_id": who.id,
            "responded_at": at,
            "updated_at": at,
            "edited_fields": marks.edited,
            "absent_fields": marks.absent,
        }
        self.rows.add(
            "review_results",
            account_id=self.office.account_id,
            review_id=told.review_id,
            data=outcome.data,
            response_values=outcome.response_values,
            reason=case.reason,
            changed=list(outcome.changed),
            approved_arguments=outcome.stored_arguments,
        )
        log(self.rows, who, at, f"review.{response or 'submitted'}", told.review_id, {"revision": told.revision})
        self._events.decided(told, decision)

    def _outcome(self, told: SeededReview, response: Any) -> SubmissionResult:
        if told.form.trigger:
            return _submitted(told.form, told.data)
        edits = resolve_placeholders(self.office, told.case.edits, told.asked) or None
        suggestion = read_suggestion(told.form.definition, told.data)
        by_people = told.case.by not in SERVICE
        return apply_submission(told.form.definition, suggestion, told.data, edits, response, enforce_limits=by_people)


def _phase(case: SeedReview) -> str:
    """Return the review's `phase` in the database."""
    if case.ends is None:
        return "open" if case.again is None else "waiting"
    return case.ends


def _title(form: FormVersion, data: Data) -> str | None:
    if not form.trigger:
        return suggested_title(form.definition, read_suggestion(form.definition, data))
    return str(data[form.definition.title_field or ""])[:MAX_TITLE]


def _submitted(form: FormVersion, data: Data) -> SubmissionResult:
    return apply_submission(form.definition, trigger_suggestion(form.definition), {}, data, None)
