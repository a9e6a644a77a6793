"""Patterns of a hostile or careless designer: they are checked, and nobody else waits for them."""

from support.api import Workspace, assert_error, assert_ok
from support.in_process import Service
from support.responsiveness import assert_responsive_during
from support.service_process import new_client

PATTERN = "(a|b)*a[ab]{450}"
FIELDS = [{"id": f"f{number}", "type": "text", "label": "Text", "pattern": PATTERN} for number in range(21)]


async def test_slow_pattern_does_not_block(workspace: Workspace, service: Service) -> None:
    form = await workspace.make_form(fields=FIELDS, layout=[], rules=[], titleField=None)
    names = [field["id"] for field in FIELDS]
    review = await workspace.request(form, data=dict.fromkeys(names, "a"))
    edited = {name: f"{number:03}".replace("0", "ab" * 330) for number, name in enumerate(names)}
    path = f"/reviews/{review['reviewId']}/response"
    body = {"response": "approved", "data": edited}
    deciding = assert_error(workspace.owner.post(path, json=body), 422, "invalid")
    async with new_client(service.url) as health:
        problem = await assert_responsive_during(health, deciding)
    assert {error["code"] for error in problem["errors"]} == {"pattern_mismatch"}
    fitting = dict.fromkeys(names, "b" * 10 + "a" * 451)
    await assert_ok(workspace.owner.post(path, json={"response": "approved", "data": fitting}))


async def test_unsupported_patterns_are_rejected_when_saved(workspace: Workspace) -> None:
    agent = await workspace.make_agent()
    field = {"id": "f", "type": "text", "label": "Text", "pattern": "(?=a)b"}
    body = {"name": "Form", "agentId": agent["agentId"], "fields": [field]}
    problem = await assert_error(workspace.manager.post("/forms", json=body), 422, "invalid")
    [error] = problem["errors"]
    assert (error["path"], error["code"]) == ("fields[0].pattern", "bad_pattern")
    assert "look-around" in error["message"]
