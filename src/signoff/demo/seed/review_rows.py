"""Convert a case to its review's rows, as the service would have written them then."""

from datetime import datetime
from itertools import cycle
from typing import Any, Final, cast

from signoff.accounts.actors import Actor, system_actor
from signoff.demo.seed.content.models import Data, SeedReview
from signoff.demo.seed.content.users import COLLEAGUES
from signoff.demo.seed.event_rows import Events
from signoff.demo.seed.placeholders import media_in, resolve_placeholders
from signoff.demo.seed.rows import Rows, build_id
from signoff.demo.seed.seeded_review import SeededReview, blank_row
from signoff.demo.seed.timing import Rhythm
from signoff.demo.seed.workspace import DemoWorkspace, log
from signoff.forms.submission import SubmissionResult, apply_submission
from signoff.forms.suggestion import MAX_TITLE, read_suggestion, suggested_title, trigger_suggestion
from signoff.forms.versions import FormVersion
from signoff.platform.clock import iso
from signoff.platform.db import Executor
from signoff.platform.jobs.queue import enqueue
from signoff.reviews.deadlines import DEADLINE_JOB, first_deadline, next_deadline
from signoff.reviews.decisions import summarize_edits
from signoff.reviews.events import AUTO_APPROVE, TIME_OUT_USER, Decision
from signoff.triggers.public_forms import NOBODYS_ID

ENQUEUE_DEADLINES: Final = enqueue(DEADLINE_JOB, "select unnest(:subjects::text[]), unnest(:times::timestamptz[])")
SERVICE: Final = (AUTO_APPROVE, TIME_OUT_USER)


class ReviewSeeder:
    def __init__(self, workspace: DemoWorkspace, rows: Rows, rhythm: Rhythm) -> None:
        self.workspace = workspace
        self.rows = rows
        self.rhythm = rhythm
        self._events = Events(workspace, rows)
        self._deciders = cycle(COLLEAGUES)
        self._runs: dict[str, str] = {}
        self._steps: dict[str, SeededReview] = {}
        """Of runs, by their titles."""
        self._due: list[tuple[str, datetime]] = []

    def seed_review(
        self, case: SeedReview, requested_at: datetime | None, session_id: str | None = None
    ) -> SeededReview:
        """Add everything that happened to a review since the request. `session_id` is the chat that it's in."""
        if requested_at is None:
            before = [self._steps[name].row["responded_at"] for name in case.after]
            requested_at = self.rhythm.pick_soon_after(max(before))
        seeded = self._request_review(case, requested_at, session_id)
        if case.run is not None and seeded.title is not None:
            self._steps[seeded.title] = seeded
        if case.ends is None:
            self._leave_pending(seeded)
        else:
            self._record_end(seeded)
        self.rows.add("reviews", **seeded.row)
        for media_id in sorted(seeded.media):
            place = {"account_id": self.workspace.account_id, "review_id": seeded.review_id}
            self.rows.add("media_uses", **place, media_id=media_id)
        return seeded

    async def order_jobs(self, tx: Executor) -> None:
        """Enqueue the jobs of deadlines."""
        await ENQUEUE_DEADLINES.execute(
            tx,
            subjects=[f"{self.workspace.account_id}/{review_id}" for review_id, _ in self._due],
            times=[at for _, at in self._due],
        )

    def _request_review(self, case: SeedReview, requested_at: datetime, session_id: str | None) -> SeededReview:
        form = self.workspace.forms[case.form]
        agent_id = form.agent_id or ""
        review_id, session = build_id("rev", requested_at), session_id or build_id("ses", requested_at)
        data = resolve_placeholders(self.workspace, case.data, requested_at)
        run_id, meta = self._run(case, requested_at, form)
        row = blank_row(self.workspace.account_id, form, review_id, session, agent_id, requested_at)
        row |= {"run_id": run_id, "prev_steps": [self._steps[name].review_id for name in case.after] or None}
        seeded = SeededReview(case, form, review_id, session, agent_id, requested_at, row, data, meta)
        if form.trigger:
            seeded.data = _apply_submission(form, data).data
        row["title"] = _title(form, seeded.data)
        if session_id is None:
            self._session(session, agent_id, requested_at)
        self._revision(seeded, requested_at)
        log(
            self.rows,
            self._build_external_actor(seeded) if form.trigger else self.workspace.key,
            requested_at,
            "review.requested",
            review_id,
        )
        return seeded

    def _run(
        self, case: SeedReview, requested_at: datetime, form: FormVersion
    ) -> tuple[str | None, dict[str, Any] | None]:
        name = case.run
        if name is None and not form.trigger:
            return None, None
        if name is None or name not in self._runs:
            run_id = build_id("run", requested_at)
            self.rows.add(
                "runs", account_id=self.workspace.account_id, run_id=run_id, name=name, created_at=requested_at
            )
            if name is None:
                return run_id, None
            self._runs[name] = run_id
        run: dict[str, Any] = {"runId": self._runs[name], "runName": name}
        if case.after:
            run["prevSteps"] = [self._steps[step].review_id for step in case.after]
        return self._runs[name], {"_svcWorkflow": run}

    def _session(self, session_id: str, agent_id: str, at: datetime) -> None:
        self.rows.add(
            "sessions",
            account_id=self.workspace.account_id,
            session_id=session_id,
            agent_id=agent_id,
            name=None,
            created_at=at,
            active_at=at,
            message_count=0,
            chat=False,
        )

    def _revision(self, seeded: SeededReview, at: datetime) -> None:
        seeded.media |= media_in(self.workspace, seeded.data)
        self.rows.add(
            "review_revisions",
            account_id=self.workspace.account_id,
            review_id=seeded.review_id,
            revision=seeded.revision,
            data=seeded.data,
            meta=seeded.meta,
            retry=None,
            created_at=at,
        )

    def _record_end(self, seeded: SeededReview) -> None:
        case, at = seeded.case, seeded.requested_at
        who = self._choose_actor(seeded)
        if seeded.form.trigger or case.by == AUTO_APPROVE:
            at = seeded.requested_at
        elif case.by == TIME_OUT_USER:
            at = self._decide_overdue(seeded)
        else:
            at = self._seed_history(seeded, who)
        self._decide(seeded, who, at)

    def _seed_history(self, seeded: SeededReview, who: Actor) -> datetime:
        """Add what happens before the decision: the review is reassigned, taken, sent back to the agent."""
        case, at = seeded.case, seeded.requested_at
        if case.handed_on_by is not None:
            at = self.rhythm.pick_decision_time(at)
            self._reassign(seeded, at)
        if case.is_taken:
            at = self.rhythm.pick_soon_after(at)
            self._take(seeded, who, at, case.assignees)
        if case.again is not None:
            at = self.rhythm.pick_decision_time(at)
            at = self._seed_retry(seeded, who, at)
        return self.rhythm.pick_decision_time(at)

    def _choose_actor(self, seeded: SeededReview) -> Actor:
        case = seeded.case
        if seeded.form.trigger:
            return self._build_external_actor(seeded)
        if case.by in SERVICE:
            return system_actor(self.workspace.account_id, cast(str, case.by))
        return self.workspace.people[case.by or next(self._deciders)]

    def _build_external_actor(self, seeded: SeededReview) -> Actor:
        return Actor("external", self.workspace.account_id, NOBODYS_ID, seeded.data["email"], frozenset())

    def _leave_pending(self, seeded: SeededReview) -> None:
        case, now = seeded.case, self.rhythm.now
        if case.is_taken:
            taker, *others = case.assignees
            at = seeded.requested_at + (now - seeded.requested_at) * 0.3
            self._take(seeded, self.workspace.people[taker], at, tuple(others))
        else:
            self._assign(seeded, case.assignees)
        self._start_deadline(seeded)
        if case.again is not None:
            by = self.workspace.people[next(self._deciders)]
            self._request_changes(seeded, by, self._pick_midpoint(seeded))

    def _pick_midpoint(self, seeded: SeededReview) -> datetime:
        """Return when changes were requested, for a review that waits for the agent."""
        return seeded.requested_at + (self.rhythm.now - seeded.requested_at) * 0.5

    def _start_deadline(self, seeded: SeededReview) -> None:
        """Set the deadline: past steps are done, and the next one is due."""
        limits = seeded.form.time_limits
        due = first_deadline(limits, seeded.requested_at)
        while limits is not None and due is not None and due.at < self.rhythm.now:
            assert due.action == "remind", "a review that waits was not decided by time"
            seeded.row |= {"reminded_at": due.at, "updated_at": due.at}
            step = {"step": due.step + 1}
            log(self.rows, system_actor(self.workspace.account_id), due.at, "review.reminded", seeded.review_id, step)
            due = next_deadline(limits, due.step, due.at, due.at)
        if due is None:
            return
        seeded.row |= {"due_step": due.step, "due_action": due.action}
        if seeded.case.again is None:
            seeded.row["due_at"] = due.at
            self._due.append((seeded.review_id, due.at))
        else:
            # While it waits for the agent, the deadline is paused.
            seeded.row["due_left"] = f"{(due.at - self._pick_midpoint(seeded)).total_seconds():.0f} seconds"

    def _decide_overdue(self, seeded: SeededReview) -> datetime:
        limits = seeded.form.time_limits
        due = first_deadline(limits, seeded.requested_at)
        assert limits is not None, "only what has a time limit is decided by time"
        assert due is not None
        while (following := next_deadline(limits, due.step, due.at, due.at)) is not None:
            step = {"step": due.step + 1}
            log(self.rows, system_actor(self.workspace.account_id), due.at, "review.reminded", seeded.review_id, step)
            seeded.row["reminded_at"] = due.at
            due = following
        seeded.row |= {"due_step": due.step, "due_action": due.action}
        return due.at

    def _assign(self, seeded: SeededReview, names: tuple[str, ...]) -> None:
        for name in names:
            self.rows.add(
                "review_assignees",
                account_id=self.workspace.account_id,
                review_id=seeded.review_id,
                assignee_id=self.workspace.assignee(name),
                phase=_phase(seeded.case),
            )
        seeded.row["assigned"] = seeded.row["assigned"] or bool(names)

    def _reassign(self, seeded: SeededReview, at: datetime) -> None:
        case = seeded.case
        assert case.handed_on_by is not None
        first, then = self.workspace.get_assignees((case.handed_on_by,)), self.workspace.get_assignees(case.assignees)
        details = {"from": first, "to": then, **({} if case.note is None else {"note": case.note})}
        by = self.workspace.people[case.handed_on_by]
        log(self.rows, by, at, "review.assigned", seeded.review_id, details)
        self._assign(seeded, case.assignees)

    def _take(self, seeded: SeededReview, who: Actor, at: datetime, before: tuple[str, ...]) -> None:
        place = {"account_id": self.workspace.account_id, "review_id": seeded.review_id}
        for name in before:
            self.rows.add("review_assignees_before", **place, assignee_id=self.workspace.assignee(name))
        self.rows.add("review_assignees", **place, assignee_id=who.id, phase=_phase(seeded.case))
        seeded.row |= {"assigned": True, "taken_by": who.id, "taken_at": at, "updated_at": at}
        theirs = {"users": [who.name], "groups": [], "external": []}
        details = {"from": self.workspace.get_assignees(before), "to": theirs}
        log(self.rows, who, at, "review.taken", seeded.review_id, details)

    def _request_changes(self, seeded: SeededReview, by: Actor, at: datetime) -> None:
        again = seeded.case.again
        assert again is not None
        retry = {"at": iso(at), "by": by.name, "instructions": again.instructions, "fieldIds": list(again.fields)}
        revision = next(row for row in self.rows.of("review_revisions") if row["review_id"] == seeded.review_id)
        revision["retry"] = retry
        log(self.rows, by, at, "review.retry_requested", seeded.review_id, {"instructions": again.instructions})
        self._events.retry_requested(seeded, retry, at)
        seeded.row |= {"retry_requested": True, "updated_at": at}

    def _seed_retry(self, seeded: SeededReview, by: Actor, at: datetime) -> datetime:
        again = seeded.case.again
        assert again is not None
        assert again.better is not None, "who decided had other content to decide on"
        self._request_changes(seeded, by, at)
        answered = self.rhythm.pick_soon_after(at)
        seeded.revision, seeded.data = 2, resolve_placeholders(self.workspace, again.better, seeded.requested_at)
        seeded.row |= {"revision": 2, "retry_requested": False, "title": _title(seeded.form, seeded.data)}
        self._revision(seeded, answered)
        log(self.rows, self.workspace.key, answered, "review.updated", seeded.review_id, {"revision": 2})
        return answered

    def _decide(self, seeded: SeededReview, who: Actor, at: datetime) -> None:
        case, form = seeded.case, seeded.form
        response = None if form.trigger else cast(Any, case.ends)
        outcome = self._outcome(seeded, response)
        decision = Decision(who, at, outcome, response, case.reason)
        marks = summarize_edits(form.definition, outcome.response_values)
        seeded.row |= {
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
            account_id=self.workspace.account_id,
            review_id=seeded.review_id,
            data=outcome.data,
            response_values=outcome.response_values,
            reason=case.reason,
            changed=list(outcome.changed),
            approved_arguments=outcome.stored_arguments,
        )
        log(self.rows, who, at, f"review.{response or 'submitted'}", seeded.review_id, {"revision": seeded.revision})
        self._events.add_decision(seeded, decision)

    def _outcome(self, seeded: SeededReview, response: Any) -> SubmissionResult:
        if seeded.form.trigger:
            return _apply_submission(seeded.form, seeded.data)
        edits = resolve_placeholders(self.workspace, seeded.case.edits, seeded.requested_at) or None
        suggestion = read_suggestion(seeded.form.definition, seeded.data)
        by_people = seeded.case.by not in SERVICE
        return apply_submission(
            seeded.form.definition, suggestion, seeded.data, edits, response, enforce_limits=by_people
        )


def _phase(case: SeedReview) -> str:
    """Return the review's `phase` in the database."""
    if case.ends is None:
        return "open" if case.again is None else "waiting"
    return case.ends


def _title(form: FormVersion, data: Data) -> str | None:
    if not form.trigger:
        return suggested_title(form.definition, read_suggestion(form.definition, data))
    return str(data[form.definition.title_field or ""])[:MAX_TITLE]


def _apply_submission(form: FormVersion, data: Data) -> SubmissionResult:
    return apply_submission(form.definition, trigger_suggestion(form.definition), {}, data, None)
