"""What happens to each review and in each chat, as stories: generators that yield the time of their next step."""

from collections.abc import AsyncGenerator, AsyncIterator, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from heapq import heappop, heappush
from itertools import count, cycle
from typing import Any, Final

import orjson

from signoff.accounts.actors import AUTO_APPROVE, TIME_OUT_USER, Actor
from signoff.accounts.context import Caller
from signoff.demo.seed.content.chats import AGENT
from signoff.demo.seed.content.models import OWNER, STUDIO, Data, SeedChat, SeedReview
from signoff.demo.seed.content.users import COLLEAGUES
from signoff.demo.seed.placeholders import resolve_placeholders
from signoff.demo.seed.timing import Rhythm
from signoff.demo.seed.workspace import DemoWorkspace, program_actor
from signoff.media.urls import stored_media_url
from signoff.platform.clock import now
from signoff.platform.ids import new_id
from signoff.platform.jobs.runner import Run
from signoff.reviews.assignments import assign_review
from signoff.reviews.deadline_jobs import DeadlineJob
from signoff.reviews.deadlines import DEADLINE_JOB
from signoff.reviews.decisions import submit_response
from signoff.reviews.requests import create_review
from signoff.reviews.retries import request_retry, update_review
from signoff.reviews.retry_reminders import REMIND_AGENT_JOB, RetryReminders
from signoff.reviews.schemas import Assignment, RetryRequest, ReviewRequest, Submission
from signoff.reviews.self_assignment import take_review
from signoff.sessions.actions import create_session
from signoff.sessions.message_actions import create_message
from signoff.sessions.read_markers import mark_read
from signoff.sessions.schemas import NewMessage, NewSession
from signoff.triggers.public_forms import NOBODYS_ID
from signoff.triggers.submissions import TriggerInput, submit_trigger_form

MESSAGE_PAUSE: Final = timedelta(minutes=3)
BEFORE_DEADLINE: Final = timedelta(hours=1)
"""How long before the last step of a deadline people decide at the latest."""

Story = AsyncIterator[datetime]


@dataclass(frozen=True, slots=True)
class SeededReview:
    case: SeedReview
    review_id: str
    requested_at: datetime


@dataclass(slots=True)
class Stories:
    workspace: DemoWorkspace
    rhythm: Rhythm
    _due: list[tuple[datetime, int, Story]] = field(default_factory=list[tuple[datetime, int, Story]])
    _runs: dict[str, str] = field(default_factory=dict[str, str])
    _steps: dict[str, str] = field(default_factory=dict[str, str])
    """IDs of decided steps of runs, by title."""
    _waiting: list[SeedReview] = field(default_factory=list[SeedReview])
    """Steps of runs that are requested once the steps before them are decided."""
    _numbers: Any = field(default_factory=count)
    _deciders: Any = field(default_factory=lambda: cycle(COLLEAGUES))
    program: Caller = field(init=False)

    def __post_init__(self) -> None:
        self.program = self.workspace.caller(program_actor(self.workspace.account_id))

    def start(self, at: datetime, story: Story) -> None:
        heappush(self._due, (at, next(self._numbers), story))

    def start_review(self, case: SeedReview, requested_at: datetime | None) -> None:
        if requested_at is None:
            self._waiting.append(case)
        else:
            self.start(requested_at, self._tell_review(case))

    def start_chat(self, chat: SeedChat) -> None:
        self.start(self.rhythm.now - timedelta(hours=chat.hours_ago), self._tell_chat(chat))

    async def play(self, progress: Callable[[float], None]) -> None:
        """Play all stories in the order of time, with the jobs that come due in between."""
        done = 0
        while self._due:
            at, _, story = heappop(self._due)
            await self._run_jobs(at)
            following = await self.workspace.db.do(at, partial(anext, story, None))
            if following is not None:
                self.start(following, story)
            done += 1
            progress(done / (done + len(self._due)))
        await self._run_jobs(self.rhythm.now)

    async def _run_jobs(self, until: datetime) -> None:
        """Do the worker's work."""
        db, settings = self.workspace.db, self.workspace.settings
        jobs: dict[str, Run] = {
            DEADLINE_JOB: DeadlineJob(db, settings).run,
            REMIND_AGENT_JOB: RetryReminders(db, settings).remind,
        }
        while job := await db.fetchrow(
            """
            delete from jobs where job_id = (
                select job_id from jobs
                where claimed_at is null and name = any($1) and due_at <= $2 and starts_with(subject, $3)
                order by due_at, job_id limit 1)
            returning name, due_at, subject
            """,
            list(jobs),
            until,
            f"{self.workspace.account_id}/",
        ):
            await db.do(job["due_at"], partial(jobs[job["name"]], job["subject"]))

    async def _tell_review(self, case: SeedReview) -> AsyncGenerator[datetime]:
        if self.workspace.forms[case.form].trigger:
            await self._submit_form(case)
            return
        review = await self._request(case)
        async for at in self._tell_outcome(review):
            yield at

    async def _tell_outcome(self, review: SeededReview) -> AsyncGenerator[datetime]:
        """Tell what follows the request, until the decision."""
        case, review_id, at = review.case, review.review_id, review.requested_at
        decides, fresh = case.ends is not None, at
        if case.by in (AUTO_APPROVE, TIME_OUT_USER):
            return
        if case.handed_on_by is not None:
            yield (at := self._pick_decision_time(case, at, fresh))
            await self._reassign(case, review_id)
        decider = self.workspace.person(self._choose_decider(case))
        if case.is_taken:
            yield (at := self.rhythm.pick_soon_after(at) if decides else self._between(at, 0.3))
            await take_review(decider, review_id)
        if case.again is not None:
            yield (at := self._pick_decision_time(case, at, fresh) if decides else self._between(at, 0.5))
            body = {"instructions": case.again.instructions, "fieldIds": list(case.again.fields)}
            await request_retry(decider, review_id, RetryRequest.model_validate(body))
            if case.again.better is not None:
                yield (at := (fresh := self.rhythm.pick_soon_after(at)))
                update = self._request_body(case, case.again.better, review.requested_at)
                update |= {"updateForReviewId": review_id}
                await update_review(self.program, review_id, ReviewRequest.model_validate(update), _size(update), None)
        if decides:
            yield self._pick_decision_time(case, at, fresh)
            edits = resolve_placeholders(self.workspace, case.edits, review.requested_at)
            body = {"response": case.ends, "data": edits or None, "reason": case.reason}
            await submit_response(decider, review_id, Submission.model_validate(body), None)
            await self._continue_run(case, review_id)

    async def _request(self, case: SeedReview, session_id: str | None = None) -> SeededReview:
        body = self._request_body(case, case.data, now()) | self._first_reviewers(case)
        body |= {"sessionId": session_id, "autoApprove": case.by == AUTO_APPROVE, "meta": self._run(case)}
        answer = await create_review(self.program, ReviewRequest.model_validate(body), _size(body), None)
        return SeededReview(case, answer["reviewId"], now())

    def _request_body(self, case: SeedReview, data: Data, requested_at: datetime) -> dict[str, Any]:
        return {
            "formId": self.workspace.forms[case.form].form_id,
            "data": resolve_placeholders(self.workspace, data, requested_at),
        }

    def _first_reviewers(self, case: SeedReview) -> dict[str, Any]:
        names = case.assignees
        if case.handed_on_by is not None:
            names = (case.handed_on_by,)
        elif case.ends is None and case.is_taken:
            names = case.assignees[1:]
        users, groups = self.workspace.assignees(names)
        return {"assignTo": users, "assignToGroups": groups} if names else {}

    def _run(self, case: SeedReview) -> dict[str, Any] | None:
        if case.run is None:
            return None
        run: dict[str, Any] = {"runId": self._runs.setdefault(case.run, new_id("run")), "runName": case.run}
        if case.after:
            run["prevSteps"] = [self._steps[step] for step in case.after]
        return {"_svcWorkflow": run}

    async def _continue_run(self, case: SeedReview, review_id: str) -> None:
        if case.run is None:
            return
        title = await self.workspace.db.fetchval("select title from reviews where review_id = $1", review_id)
        self._steps[title] = review_id
        ready = [each for each in self._waiting if all(step in self._steps for step in each.after)]
        self._waiting = [each for each in self._waiting if each not in ready]
        for each in ready:
            self.start_review(each, self.rhythm.pick_soon_after(now()))

    async def _reassign(self, case: SeedReview, review_id: str) -> None:
        assert case.handed_on_by is not None
        users, groups = self.workspace.assignees(case.assignees)
        body = {"users": users, "groups": groups, "external": [], "note": case.note}
        await assign_review(self.workspace.person(case.handed_on_by), review_id, Assignment.model_validate(body))

    def _choose_decider(self, case: SeedReview) -> str:
        assigned = [name for name in case.assignees if name not in (STUDIO, OWNER)]
        return case.by or next(iter(assigned), None) or next(self._deciders)

    def _between(self, at: datetime, share: float) -> datetime:
        return at + (self.rhythm.now - at) * share

    def _pick_decision_time(self, case: SeedReview, at: datetime, fresh: datetime) -> datetime:
        """Return when someone acts, which is before the deadline of content that arrived at `fresh`."""
        limits, picked = self.workspace.forms[case.form].time_limits, self.rhythm.pick_decision_time(at)
        return picked if limits is None else max(at, min(picked, fresh + limits.steps[-1].after - BEFORE_DEADLINE))

    async def _submit_form(self, case: SeedReview) -> None:
        workspace = self.workspace
        data = resolve_placeholders(workspace, case.data, now())
        visitor = Actor("external", workspace.account_id, NOBODYS_ID, data["email"], frozenset())
        form_id = workspace.forms[case.form].form_id
        await submit_trigger_form(workspace.caller(visitor), form_id, TriggerInput(data, _size(data)), None)

    async def _tell_chat(self, chat: SeedChat) -> AsyncGenerator[datetime]:
        workspace, at, session_id = self.workspace, now(), new_id("ses")
        starter = workspace.person(OWNER if chat.with_owner else chat.messages[0].by)
        body = {"agentId": workspace.agents[chat.agent], "name": chat.name, "sessionId": session_id}
        await create_session(starter, NewSession.model_validate(body))
        written: list[str] = []
        for message in chat.messages:
            yield (at := at + MESSAGE_PAUSE)
            new: dict[str, Any] = {"text": message.text}
            if message.review is not None:
                review = await self._request(message.review, session_id)
                self.start(at, self._tell_outcome(review))
                new["reviewId"] = review.review_id
            if message.attached is not None:
                url = stored_media_url(workspace.settings, workspace.account_id, workspace.pictures[message.attached])
                new["attachments"] = [{"url": url, "name": f"{message.attached}.png"}]
            author = self.program if message.by == AGENT else workspace.person(message.by)
            size = len(message.text)
            answer = await create_message(author, session_id, NewMessage.model_validate(new), size, None)
            written.append(answer["messageId"])
        for name in {message.by for message in chat.messages} - {AGENT}:
            await mark_read(workspace.person(name), session_id, written[-1])
        if chat.with_owner:
            await mark_read(workspace.person(OWNER), session_id, written[-3])


def _size(body: dict[str, Any]) -> int:
    return len(orjson.dumps(body))
