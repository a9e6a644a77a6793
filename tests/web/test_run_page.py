"""A run's graph: on a wide screen and on a phone, and with whatever agents send."""

import asyncio
import re
from typing import Any

import pytest
from playwright.async_api import Route, expect
from support.api import Workspace, unique
from support.browser import PHONE, Visitors, serious_findings
from web_helpers import button


async def step(workspace: Workspace, form: dict[str, Any], run_id: str, headline: str, *previous: str) -> str:
    workflow = {"runId": run_id, "prevSteps": list(previous)}
    data = {"draft": {"headline": headline}, "body": "Text", "score": 7}
    return (await workspace.request(form, data=data, meta={"_svcWorkflow": workflow}))["reviewId"]


async def branching(workspace: Workspace) -> tuple[str, dict[str, str]]:
    form, run_id = await workspace.make_form(), unique("run")
    steps = {"Outline": await step(workspace, form, run_id, "Outline")}
    await workspace.decide(steps["Outline"])
    for name in ("Left", "Right"):
        steps[name] = await step(workspace, form, run_id, name, steps["Outline"])
    steps["Join"] = await step(workspace, form, run_id, "Join", steps["Left"], steps["Right"], "rev_gone")
    return run_id, steps


class TestGraph:
    async def test_shows_the_order_of_steps(self, visitors: Visitors, workspace: Workspace) -> None:
        run_id, _ = await branching(workspace)
        page = await visitors.open(f"/runs/{run_id}", workspace.owner)
        steps = page.get_by_role("region", name="Steps").get_by_role("link")
        await expect(steps).to_have_count(4)
        boxes = {}
        for name in ("Outline", "Left", "Right", "Join"):
            box = await steps.filter(has_text=re.compile(f"^{name}")).bounding_box()
            assert box is not None
            boxes[name] = box
        assert boxes["Left"]["y"] == boxes["Right"]["y"] > boxes["Outline"]["y"]
        assert boxes["Left"]["x"] + boxes["Left"]["width"] < boxes["Right"]["x"]
        assert boxes["Join"]["y"] > boxes["Left"]["y"]
        await expect(steps.first).to_contain_text("Approved")
        await expect(steps.first).to_contain_text(re.compile("By other-owner"))
        await expect(steps.last).to_contain_text("Follows 1 step that isn't shown")
        assert await serious_findings(page) == []
        await steps.filter(has_text=re.compile("^Left")).focus()
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("region", name="Review: Left")).to_be_visible()

    @pytest.mark.slow
    async def test_updates_live(self, visitors: Visitors, workspace: Workspace) -> None:
        run_id, steps = await branching(workspace)
        page = await visitors.open(f"/runs/{run_id}", workspace.owner)
        left = page.get_by_role("region", name="Steps").get_by_role("link").filter(has_text=re.compile("^Left"))
        await expect(left).to_contain_text("Pending")
        await workspace.decide(steps["Left"], "rejected")
        await expect(left).to_contain_text("Rejected")

    @pytest.mark.slow
    async def test_updates_before_the_stream_is_open(self, visitors: Visitors, workspace: Workspace) -> None:
        run_id, steps = await branching(workspace)
        page = await visitors.open("/settings/profile", workspace.owner)
        stands = asyncio.Event()

        async def connect_late(route: Route) -> None:
            await stands.wait()
            await route.continue_()

        await page.route("**/api/v1/live*", connect_late)
        await page.goto(f"/runs/{run_id}")
        left = page.get_by_role("region", name="Steps").get_by_role("link").filter(has_text=re.compile("^Left"))
        await expect(left).to_contain_text("Pending")
        await workspace.decide(steps["Left"], "rejected")
        stands.set()
        await expect(left).to_contain_text("Rejected")

    @pytest.mark.slow
    async def test_updates_while_loading(self, visitors: Visitors, workspace: Workspace) -> None:
        run_id, steps = await branching(workspace)
        page = await visitors.open("/settings/profile", workspace.owner)
        was_read, is_told = asyncio.Event(), asyncio.Event()

        async def answer_late(route: Route) -> None:
            response = await route.fetch()
            was_read.set()
            await is_told.wait()
            await route.fulfill(response=response)

        await page.route(f"**/api/v1/runs/{run_id}", answer_late, times=1)
        await page.goto(f"/runs/{run_id}")
        await was_read.wait()
        await expect(page.get_by_role("link", name="Unassigned 3 pending")).to_be_visible()
        await workspace.decide(steps["Left"], "rejected")
        await expect(page.get_by_role("link", name="Unassigned 2 pending")).to_be_visible()
        is_told.set()
        left = page.get_by_role("region", name="Steps").get_by_role("link").filter(has_text=re.compile("^Left"))
        await expect(left).to_contain_text("Rejected")

    @pytest.mark.slow
    async def test_is_one_column_on_a_phone(self, visitors: Visitors, workspace: Workspace) -> None:
        run_id, _ = await branching(workspace)
        page = await visitors.open(f"/runs/{run_id}", workspace.owner, **PHONE)
        await expect(page.get_by_text("2 parallel steps")).to_be_visible()
        assert await page.evaluate("document.documentElement.scrollWidth") <= 390
        assert await serious_findings(page) == []
        await page.get_by_role("link", name=re.compile("^Join")).click()
        await expect(page.get_by_role("region", name="Review: Join")).to_be_visible()

    @pytest.mark.slow
    async def test_shows_hostile_runs(self, visitors: Visitors, workspace: Workspace) -> None:
        """Steps that follow themselves and all others, a hundred first steps, markup in the titles."""
        form, run_id = await workspace.make_form(), unique("run")
        await asyncio.gather(*(step(workspace, form, run_id, f"Root {number}") for number in range(100)))
        last = await step(workspace, form, run_id, "<img src=x onerror=alert(1)>", "", "rev_x", "../..", "<b>")
        for _ in range(20):
            last = await step(workspace, form, run_id, "Chain", last, last, "rev_x")
        page = await visitors.open(f"/runs/{run_id}", workspace.owner)
        await expect(page.get_by_role("region", name="Steps").get_by_role("link")).to_have_count(121)
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        await expect(page.get_by_text("<img src=x onerror=alert(1)>", exact=True)).to_be_visible()

    @pytest.mark.slow
    async def test_can_be_named(self, visitors: Visitors, workspace: Workspace) -> None:
        run_id, _ = await branching(workspace)
        page = await visitors.open(f"/runs/{run_id}", workspace.owner)
        await button(page, "Rename run").click()
        await page.get_by_label("Run name").fill("November issue")
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("heading", name="November issue")).to_be_visible()


@pytest.mark.slow
class TestStrip:
    async def test_shows_the_step_of_a_review(self, visitors: Visitors, workspace: Workspace) -> None:
        _, steps = await branching(workspace)
        page = await visitors.open(f"/reviews/{steps['Right']}", workspace.owner)
        strip = page.get_by_role("navigation", name="Run steps")
        await expect(strip.get_by_role("link", name="Step 3 of 4")).to_be_visible()
        here = strip.get_by_role("link", name="Step 3: Right (Pending)")
        await expect(here).to_have_attribute("aria-current", "page")
        await strip.get_by_role("link", name="Step 1: Outline (Approved)").click()
        await expect(page.get_by_role("region", name="Review: Outline")).to_be_visible()
        await strip.get_by_role("link", name="Step 1 of 4").click()
        await expect(page.get_by_role("region", name="Steps")).to_be_visible()
