"""A new user's first minutes: `signoff serve` on an empty folder, from the terminal and through the API."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest
from support.terminal import Serving, Terminal, wait_until

from signoff.demo.agent.review_requester import MAX_PENDING

FAST = "0.3"
"""Seconds between two requests of the agent, for people 40."""


class FirstRunUser:
    """The owner, who signed in with the printed link."""

    def __init__(self, serving: Serving) -> None:
        self.serving = serving
        self.http = httpx.Client(base_url=serving.api, timeout=60)
        link = serving.wait_for("token=")
        token = re.search(r"token=(\S+)", link)
        assert token
        self.post("/auth/link", token=token[1])

    def get(self, path: str, **query: Any) -> Any:
        return self._ok(self.http.get(path, params=query))

    def post(self, path: str, **body: Any) -> Any:
        return self._ok(self.http.post(path, json=body))

    @staticmethod
    def _ok(answer: httpx.Response) -> Any:
        assert answer.is_success, f"{answer.request.url}: {answer.status_code} {answer.text}"
        return answer.json() if answer.content else None

    def wait_until_ready(self) -> None:
        wait_until(lambda: self.get("/demo")["state"] == "ready")
        self.serving.wait_for("Demo agents running")

    def wait_for_review(self, form: str) -> dict[str, Any]:
        """A pending review of this type that the running agent has requested."""

        def look() -> list[dict[str, Any]]:
            rows = self.get("/reviews", state="pending", limit=200)["items"]
            own = [row for row in rows if row["sessionId"].startswith("demo-agent-")]
            wanted = [row for row in own if row["formName"] == form and row["revision"] == 1]
            if not wanted and len(own) >= MAX_PENDING:  # The agent requests nothing more until one is decided.
                self.approve(own[-1])
            return wanted

        return wait_until(look)[0]

    def approve(self, review: dict[str, Any], **data: Any) -> dict[str, Any]:
        return self.post(f"/reviews/{review['reviewId']}/response", response="approved", data=data)


def agent_of(serving: Serving) -> psutil.Process | None:
    """The process that plays the agents, once it runs."""
    for child in psutil.Process(serving.process.pid).children():
        try:
            if "signoff.demo.agent" in child.cmdline():
                return child
        except psutil.Error:
            continue
    return None


@contextmanager
def new_demo(folder: Path) -> Iterator[tuple[Terminal, Callable[..., Serving]]]:
    """A terminal on an empty folder, and how to start the service there as `make run` would, with a fast agent."""
    terminal = Terminal(folder)

    def serve(*arguments: str, **settings: object) -> Serving:
        with pytest.MonkeyPatch.context() as environment:
            environment.setenv("DEMO_PACE", FAST)
            return terminal.serve(*arguments, **{"demo": None, **settings})

    try:
        yield terminal, serve
    finally:
        terminal.close()
