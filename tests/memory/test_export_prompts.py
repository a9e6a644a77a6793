"""The prompts of an export: `meta.prompt` if the agent sent one, and preferences as conversations."""

from typing import Any

import pytest
from export_helpers import DATA, DRAFT, decided, exported, lines, parquet_rows
from support.api import Workspace, assert_ok

CHAT = [
    {"role": "system", "content": "You write headlines. 🍂"},
    {"role": "user", "content": "Autumn, please: “kürzer”!"},
]
EDITED = {"edits": {"headline": "Falling leaves"}}


@pytest.fixture
async def form(workspace: Workspace) -> dict[str, Any]:
    return await workspace.make_form(**DRAFT)


def built_prompt(form: dict[str, Any]) -> str:
    return f"{form['name']}\n\nTopic: Autumn\nhint: Be kind.\n\nWrite: Headline"


async def export(workspace: Workspace, form: dict[str, Any], shape: str) -> list[dict[str, Any]]:
    return await lines(workspace.agent, form, shape=shape, fieldIds="headline")


class TestConversationalPreferences:
    async def test_messages(self, workspace: Workspace, form: dict[str, Any]) -> None:
        review_id = await decided(workspace, form, **EDITED)
        [line] = await export(workspace, form, "dpo-conversational")
        assert line == {
            "prompt": [{"role": "user", "content": built_prompt(form)}],
            "chosen": [{"role": "assistant", "content": "Falling leaves"}],
            "rejected": [{"role": "assistant", "content": "Leaves"}],
            "reviewId": review_id,
            "cursor": line["cursor"],
        }

    async def test_the_same_lines_as_plain_text(self, workspace: Workspace, form: dict[str, Any]) -> None:
        session = {"sessionId": f"session-{form['formId']}"}
        await decided(workspace, form, **EDITED)
        await decided(workspace, form)
        await decided(workspace, form, "rejected", **session)
        await decided(workspace, form, data={**DATA, "headline": "Better"}, **session)
        plain = await lines(workspace.agent, form, shape="dpo")
        conversational = await lines(workspace.agent, form, shape="dpo-conversational")
        members = ("prompt", "chosen", "rejected")
        assert len(plain) == 2
        assert plain == [{**line, **{name: line[name][0]["content"] for name in members}} for line in conversational]
        assert all(len(line[name]) == 1 for line in conversational for name in members)

    async def test_parquet_has_lists_of_messages(self, workspace: Workspace, form: dict[str, Any]) -> None:
        await decided(workspace, form, meta={"prompt": CHAT}, **EDITED)
        response = await exported(workspace.agent, form, shape="dpo-conversational", format="parquet")
        [line] = await lines(workspace.agent, form, shape="dpo-conversational")
        assert parquet_rows(response.content) == [line]
        assert line["prompt"] == CHAT


class TestGivenPrompts:
    @pytest.mark.parametrize(
        ("prompt", "messages", "text"),
        [
            ("Write a „headline“ 🍂", [{"role": "user", "content": "Write a „headline“ 🍂"}], "Write a „headline“ 🍂"),
            (CHAT, CHAT, "system: You write headlines. 🍂\n\nuser: Autumn, please: “kürzer”!"),
            (CHAT[1:], CHAT[1:], "Autumn, please: “kürzer”!"),
            ([{"role": "user", "content": ""}], [{"role": "user", "content": ""}], ""),
        ],
    )
    async def test_used_in_every_format(
        self, workspace: Workspace, form: dict[str, Any], prompt: Any, messages: Any, text: str
    ) -> None:
        meta = {"ticket": "A-17", "prompt": prompt}
        await decided(workspace, form, meta=meta, **EDITED)
        [example] = await export(workspace, form, "sft")
        assert example["messages"] == [*messages, {"role": "assistant", "content": "Falling leaves"}]
        [conversation] = await export(workspace, form, "dpo-conversational")
        assert conversation["prompt"] == messages
        [plain] = await export(workspace, form, "dpo")
        assert plain["prompt"] == text
        [pair] = await export(workspace, form, "pairs")
        assert pair["meta"] == meta

    @pytest.mark.parametrize(
        "meta",
        [
            None,
            {},
            *(
                {"prompt": prompt}
                for prompt in (
                    *(None, "", " \n", 7, True, [], {}, CHAT[0], ["x"], [CHAT], [*CHAT, None]),
                    [{"role": "user"}],
                    [{"content": "Hello"}],
                    [{"role": "user", "content": None}],
                    [{"role": 1, "content": "Hello"}],
                    [{"role": "user", "content": [{"type": "text", "text": "Hello"}]}],
                    [{"role": "assistant", "content": "", "tool_calls": [{"id": "call_1"}]}],
                )
            ),
        ],
    )
    async def test_anything_else_is_ignored(self, workspace: Workspace, form: dict[str, Any], meta: Any) -> None:
        await decided(workspace, form, **({} if meta is None else {"meta": meta}), **EDITED)
        built = {"role": "user", "content": built_prompt(form)}
        [example] = await export(workspace, form, "sft")
        assert example["messages"] == [built, {"role": "assistant", "content": "Falling leaves"}]
        [conversation] = await export(workspace, form, "dpo-conversational")
        assert conversation["prompt"] == [built]
        [plain] = await export(workspace, form, "dpo")
        assert plain["prompt"] == built["content"]

    @pytest.mark.parametrize(
        ("first", "second", "data", "paired"),
        [
            ("Same", "Same", {}, True),
            ("Same", [{"role": "user", "content": "Same"}], {}, True),
            ("One", "Another", {}, False),
            ("Same", None, {}, False),
            ("Same", "Same", {"topic": "Winter"}, False),
        ],
    )
    async def test_a_rejection_is_paired_by_prompt_and_content(
        self, workspace: Workspace, form: dict[str, Any], first: Any, second: Any, data: Any, paired: bool
    ) -> None:
        session = {"sessionId": f"session-{form['formId']}"}
        await decided(workspace, form, "rejected", meta={"prompt": first}, **session)
        better = {**DATA, "headline": "Better", **data}
        await decided(workspace, form, data=better, meta={"prompt": second}, **session)
        exported_lines = await export(workspace, form, "dpo")
        assert [line["prompt"] for line in exported_lines] == (["Same"] if paired else [])

    async def test_a_retry_has_the_prompt_of_the_approved_revision(
        self, workspace: Workspace, form: dict[str, Any]
    ) -> None:
        review = await workspace.request(form, data=DATA, meta={"prompt": "Write."})
        await assert_ok(workspace.owner.post(f"/reviews/{review['reviewId']}/retry", json={"instructions": "Shorter."}))
        await workspace.request(
            form,
            data={**DATA, "headline": "Leaf"},
            meta={"prompt": "Write. Shorter."},
            updateForReviewId=review["reviewId"],
        )
        await workspace.decide(review["reviewId"])
        [line] = await export(workspace, form, "dpo")
        assert (line["prompt"], line["chosen"], line["rejected"]) == ("Write. Shorter.", "Leaf", "Leaves")
