"""The export: every shape in every format, in parts and as a whole."""

import json
from typing import Any

import asyncpg
import httpx
import pytest
from export_helpers import DATA, DRAFT, csv_rows, decided, exported, lines, parquet_rows, retried
from support.api import Workspace, assert_error, assert_ok, error_at
from support.in_process import Service
from support.second_account import open_second_account

SHAPES = ["pairs", "sft", "dpo", "dpo-conversational"]
FORMATS = ["jsonl", "csv", "parquet"]


@pytest.fixture
async def form(workspace: Workspace) -> dict[str, Any]:
    return await workspace.make_form(**DRAFT)


class TestPairs:
    async def test_approved_with_an_edit(self, workspace: Workspace, form: dict[str, Any]) -> None:
        edits = {"headline": "Falling leaves", "tags": ["b"]}
        review_id = await decided(workspace, form, edits=edits, meta={"ticket": "A-17"})
        review = await workspace.review(review_id)
        [line] = await lines(workspace.agent, form)
        assert line == {
            "reviewId": review_id,
            "createdAt": review["createdAt"],
            "respondedAt": review["reviewResult"]["respondedAt"],
            "response": "approved",
            "fields": {
                "topic": {"suggestedValue": "Autumn", "approvedValue": "Autumn", "wasEdited": False},
                "headline": {"suggestedValue": "Leaves", "approvedValue": "Falling leaves", "wasEdited": True},
                "body": {"suggestedValue": "They fall.", "approvedValue": "They fall.", "wasEdited": False},
                "score": {"suggestedValue": 7, "approvedValue": 7, "wasEdited": False},
                "tags": {"suggestedValue": None, "approvedValue": [{"id": "b", "label": "Bb"}]},
            },
            "meta": {"ticket": "A-17"},
            "cursor": line["cursor"],
        }

    async def test_rejected(self, workspace: Workspace, form: dict[str, Any]) -> None:
        await decided(workspace, form, "rejected", edits={"headline": "Edited all the same"})
        [line] = await lines(workspace.agent, form)
        assert line["response"] == "rejected"
        assert line["fields"]["headline"] == {"suggestedValue": "Leaves", "approvedValue": None, "wasEdited": True}
        assert "meta" not in line

    async def test_auto_approved_responses_are_marked(self, workspace: Workspace, form: dict[str, Any]) -> None:
        await workspace.request(form, data=DATA, autoApprove=True)
        [line] = await lines(workspace.agent, form)
        assert line["autoApproved"] is True
        assert line["response"] == "approved"
        assert line["fields"]["headline"]["approvedValue"] == "Leaves"
        assert await lines(workspace.agent, form, shape="sft") == []
        assert await lines(workspace.agent, form, shape="dpo") == []

    async def test_trigger_forms_have_no_response(self, workspace: Workspace) -> None:
        form = await workspace.make_form(**DRAFT, trigger=True)
        review = await workspace.request(form, data=DATA)
        body = {"data": {"headline": "Mine"}}
        await assert_ok(workspace.owner.post(f"/reviews/{review['reviewId']}/response", json=body))
        [line] = await lines(workspace.agent, form)
        assert line["response"] is None
        assert line["fields"]["headline"]["approvedValue"] == "Mine"
        assert await lines(workspace.agent, form, filterResponse="approved") == []
        assert await lines(workspace.agent, form, shape="sft") == []
        assert await lines(workspace.agent, form, shape="dpo") == []

    async def test_without_pending_reviews(self, workspace: Workspace, form: dict[str, Any]) -> None:
        await workspace.request(form, data=DATA)
        assert await lines(workspace.agent, form) == []

    async def test_oldest_decision_first(self, workspace: Workspace, form: dict[str, Any]) -> None:
        review_ids = [(await workspace.request(form, data=DATA))["reviewId"] for _ in range(4)]
        order = [review_ids[2], review_ids[0], review_ids[3], review_ids[1]]
        for review_id in order:
            await workspace.decide(review_id)
        assert [line["reviewId"] for line in await lines(workspace.agent, form)] == order

    async def test_selected_fields_and_responses(self, workspace: Workspace, form: dict[str, Any]) -> None:
        approved, rejected = await decided(workspace, form), await decided(workspace, form, "rejected")
        some = await lines(workspace.agent, form, fieldIds=" score, headline,score")
        assert [list(line["fields"]) for line in some] == [["score", "headline"]] * 2
        for response, review_id in (("approved", approved), ("rejected", rejected)):
            only = await lines(workspace.agent, form, filterResponse=response)
            assert [line["reviewId"] for line in only] == [review_id]

    async def test_without_hidden_fields(self, workspace: Workspace, form: dict[str, Any]) -> None:
        await decided(workspace, form, data={"headline": "Only this", "tags": None})
        [line] = await lines(workspace.agent, form)
        assert list(line["fields"]) == ["headline"]

    async def test_fields_hidden_by_rules_keep_their_suggestion(self, workspace: Workspace) -> None:
        rule = {"target": "body", "effect": "hide", "when": {"field": "score.value", "operation": ">", "value": 5}}
        form = await workspace.make_form(**{**DRAFT, "rules": [rule]})
        await decided(workspace, form)
        [line] = await lines(workspace.agent, form, fieldIds="body")
        assert line["fields"] == {"body": {"suggestedValue": "They fall.", "approvedValue": None}}

    async def test_older_versions_with_other_fields(self, workspace: Workspace, form: dict[str, Any]) -> None:
        await decided(workspace, form)
        fields = [{"id": "headline", "type": "number"}, {"id": "added", "type": "text"}]
        await assert_ok(workspace.manager.patch(f"/forms/{form['formId']}", json={"fields": fields}))
        await decided(workspace, form, data={"headline": 5, "added": "new"})
        old, new = await lines(workspace.agent, form)
        assert list(old["fields"]) == ["headline", "topic", "body", "score", "tags"]
        assert old["fields"]["headline"]["approvedValue"] == "Leaves"
        assert {name: pair["approvedValue"] for name, pair in new["fields"].items()} == {"headline": 5, "added": "new"}
        [_, row] = csv_rows((await exported(workspace.agent, form, format="csv")).content)
        names = [name.partition(".")[0] for name in row if name.endswith(".approved")]
        assert names == ["headline", "added", "topic", "body", "score", "tags"]
        assert (row["headline.approved"], row["topic.approved"]) == ("5", "")
        assert (await lines(workspace.agent, form, fieldIds="body"))[0]["fields"]["body"]

    async def test_an_archived_review_type_is_still_exported(self, workspace: Workspace, form: dict[str, Any]) -> None:
        await decided(workspace, form)
        await assert_ok(workspace.manager.delete(f"/forms/{form['formId']}"))
        assert len(await lines(workspace.agent, form)) == 1


class TestConversations:
    async def test_all_fields(self, workspace: Workspace, form: dict[str, Any]) -> None:
        review_id = await decided(workspace, form, edits={"headline": "Falling “leaves”", "tags": ["a", "b"]})
        await decided(workspace, form, "rejected")
        [line] = await lines(workspace.agent, form, shape="sft")
        assert list(line) == ["messages", "reviewId", "cursor"]
        assert line["reviewId"] == review_id
        user, assistant = line["messages"]
        assert user == {
            "role": "user",
            "content": f"{form['name']}\n\nTopic: Autumn\nhint: Be kind.\n\n"
            "Write as JSON: headline (Headline), body (Body), score (Score), tags (Tags)",
        }
        assert assistant["role"] == "assistant"
        completion = {"headline": "Falling “leaves”", "body": "They fall.", "score": 7, "tags": ["a", "b"]}
        assert json.loads(assistant["content"]) == completion

    async def test_single_field(self, workspace: Workspace, form: dict[str, Any]) -> None:
        await decided(workspace, form, edits={"body": 'She said "no".\nTwice.'})
        for field_id, expected in (("body", 'She said "no".\nTwice.'), ("score", "7"), ("topic", "Autumn")):
            [line] = await lines(workspace.agent, form, shape="sft", fieldIds=field_id)
            user, assistant = line["messages"]
            assert assistant["content"] == expected
            assert user["content"].endswith(f"Write: {field_id.capitalize()}")
            assert ("Topic: Autumn" in user["content"]) == (field_id != "topic")

    async def test_empty_export(self, workspace: Workspace, form: dict[str, Any]) -> None:
        await decided(workspace, form, data={"topic": "Autumn"})
        assert await lines(workspace.agent, form, shape="sft", fieldIds="headline") == []


class TestPreferences:
    async def test_an_edit(self, workspace: Workspace, form: dict[str, Any]) -> None:
        review_id = await decided(workspace, form, edits={"headline": "Falling leaves", "tags": ["a"]})
        [line] = await lines(workspace.agent, form, shape="dpo")
        assert list(line) == ["prompt", "chosen", "rejected", "reviewId", "cursor"]
        assert line["reviewId"] == review_id
        assert line["prompt"].startswith(f"{form['name']}\n\nTopic: Autumn\nhint: Be kind.\n\nWrite as JSON: headline")
        # The agent suggested no tags, so there is nothing that the choice was preferred to.
        chosen = {"headline": "Falling leaves", "body": "They fall.", "score": 7}
        assert json.loads(line["chosen"]) == chosen
        assert json.loads(line["rejected"]) == {**chosen, "headline": "Leaves"}

    async def test_changed_selection_is_an_edit(self, workspace: Workspace, form: dict[str, Any]) -> None:
        await decided(workspace, form, data={**DATA, "tags": ["a"]}, edits={"tags": ["b"]})
        [line] = await lines(workspace.agent, form, shape="dpo", fieldIds="tags")
        assert (line["chosen"], line["rejected"]) == ('["b"]', '["a"]')

    @pytest.mark.parametrize("edits", [{}, {"tags": ["a"]}])
    async def test_approved_as_suggested(self, workspace: Workspace, form: dict[str, Any], edits: Any) -> None:
        await decided(workspace, form, edits=edits)
        assert await lines(workspace.agent, form, shape="dpo") == []

    async def test_a_retry(self, workspace: Workspace, form: dict[str, Any]) -> None:
        review = await workspace.request(form, data={**DATA, "headline": "First"})
        await retried(workspace, review["reviewId"], form, {**DATA, "headline": "Second"})
        await retried(workspace, review["reviewId"], form, {**DATA, "headline": "Third"})
        await workspace.decide(review["reviewId"])
        [line] = await lines(workspace.agent, form, shape="dpo", fieldIds="headline")
        assert (line["chosen"], line["rejected"]) == ("Third", "Second")

    async def test_edits_come_before_retries(self, workspace: Workspace, form: dict[str, Any]) -> None:
        review = await workspace.request(form, data={**DATA, "headline": "First"})
        await retried(workspace, review["reviewId"], form, {**DATA, "headline": "Second"})
        await workspace.decide(review["reviewId"], data={"headline": "Mine"})
        [line] = await lines(workspace.agent, form, shape="dpo", fieldIds="headline")
        assert (line["chosen"], line["rejected"]) == ("Mine", "Second")

    async def test_unrequested_update_is_not_a_rejection(self, workspace: Workspace, form: dict[str, Any]) -> None:
        review = await workspace.request(form, data={**DATA, "headline": "First"})
        await workspace.request(form, data={**DATA, "headline": "Second"}, updateForReviewId=review["reviewId"])
        await workspace.decide(review["reviewId"])
        assert await lines(workspace.agent, form, shape="dpo") == []

    async def test_rejection_and_approved_request(self, workspace: Workspace, form: dict[str, Any]) -> None:
        session = {"sessionId": f"session-{form['formId']}"}
        rejected = await decided(workspace, form, "rejected", **session)
        again = await decided(workspace, form, "rejected", data={**DATA, "headline": "Worse"}, **session)
        await decided(workspace, form, data={**DATA, "headline": "Better"}, **session)
        exported_lines = await lines(workspace.agent, form, shape="dpo", fieldIds="headline")
        pairs = [(line["reviewId"], line["chosen"], line["rejected"]) for line in exported_lines]
        assert pairs == [(rejected, "Better", "Leaves"), (again, "Better", "Worse")]
        assert await lines(workspace.agent, form, shape="dpo", filterResponse="approved") == []

    @pytest.mark.parametrize("other", ["session", "question", "before", "form", "auto"])
    async def test_unrelated_requests_after_a_rejection(
        self, workspace: Workspace, form: dict[str, Any], other: str
    ) -> None:
        session = {"sessionId": f"session-{form['formId']}"}
        better = {**DATA, "headline": "Better"}
        early = await workspace.request(form, data=better, **session)
        await decided(workspace, form, "rejected", **session)
        if other == "session":
            await decided(workspace, form, data=better)
        elif other == "question":
            await decided(workspace, form, data={**better, "topic": "Winter"}, **session)
        elif other == "before":
            await workspace.decide(early["reviewId"])
        elif other == "form":
            await decided(workspace, await workspace.make_form(**DRAFT), data=better, **session)
        else:
            await workspace.request(form, data=better, autoApprove=True, **session)
        assert await lines(workspace.agent, form, shape="dpo") == []

    async def test_single_rejection(self, workspace: Workspace, form: dict[str, Any]) -> None:
        await decided(workspace, form, "rejected")
        assert await lines(workspace.agent, form, shape="dpo") == []


NASTY = [
    "=1+1",
    "+49 30",
    "-5",
    "@SUM(A1)",
    "\tx",
    "\rx",
    "'=quoted",
    "'tis",
    'say "hi", then\r\ngo',
    "line\nbreak",
    "a,b;c",
    "Ünïcode 😀 \u2028 end",
    "",
    "[1, 2]",
    "＝1",  # noqa: RUF001
]


@pytest.fixture(scope="module")
async def hostile(workspace: Workspace) -> dict[str, Any]:
    """Reviews that produce lines in every shape, with everything that could break a file."""
    form = await workspace.make_form(**DRAFT)
    for text in NASTY:
        data = {**DATA, "headline": f"was {text}", "score": -3.5, "body": text}
        await decided(workspace, form, data=data, edits={"headline": text or "not empty"}, meta={"text": text})
    await decided(workspace, form, "rejected", data={"headline": "No"})
    return form


class TestFormats:
    async def test_csv_of_pairs(self, workspace: Workspace, hostile: dict[str, Any]) -> None:
        response = await exported(workspace.agent, hostile, format="csv")
        assert response.headers["content-type"] == "text/csv; charset=utf-8"
        assert b"\r\n" in response.content
        exported_lines = await lines(workspace.agent, hostile)
        rows = csv_rows(response.content)
        assert list(rows[0])[:8] == [
            *("reviewId", "createdAt", "respondedAt", "response", "autoApproved"),
            *("topic.suggested", "topic.approved", "topic.wasEdited"),
        ]
        assert list(rows[0])[-4:] == ["tags.suggested", "tags.approved", "meta", "cursor"]
        assert len(rows) == len(exported_lines)
        for row, line in zip(rows, exported_lines, strict=True):
            assert row["reviewId"] == line["reviewId"]
            assert row["cursor"] == line["cursor"]
            assert (json.loads(row["meta"]) if row["meta"] else None) == line.get("meta")
            for name, pair in line["fields"].items():
                for kind in ("suggested", "approved"):
                    assert undone(row[f"{name}.{kind}"]) == as_text(pair[f"{kind}Value"])
                if "wasEdited" in pair:
                    assert row[f"{name}.wasEdited"] == json.dumps(pair["wasEdited"])

    @pytest.mark.parametrize("shape", SHAPES)
    async def test_cells_are_never_formulas(self, workspace: Workspace, hostile: dict[str, Any], shape: str) -> None:
        rows = csv_rows((await exported(workspace.agent, hostile, format="csv", shape=shape)).content)
        assert rows
        for row in rows:
            for name, cell in row.items():
                assert not cell.startswith(("=", "+", "@", "\t", "\r", "＝")), (name, cell)  # noqa: RUF001
                assert not cell.startswith("-") or cell == "-3.5"
        if shape == "pairs":
            assert {row["score.approved"] for row in rows} == {"-3.5", ""}

    @pytest.mark.parametrize("shape", SHAPES[1:])
    async def test_csv_of_other_shapes(self, workspace: Workspace, hostile: dict[str, Any], shape: str) -> None:
        exported_lines = await lines(workspace.agent, hostile, shape=shape)
        rows = csv_rows((await exported(workspace.agent, hostile, format="csv", shape=shape)).content)
        assert len(rows) == len(exported_lines) >= len(NASTY)
        for row, line in zip(rows, exported_lines, strict=True):
            assert {name: undone(cell) for name, cell in row.items()} == {name: as_text(line[name]) for name in row}

    @pytest.mark.parametrize("shape", SHAPES)
    async def test_parquet(self, workspace: Workspace, hostile: dict[str, Any], shape: str) -> None:
        response = await exported(workspace.agent, hostile, format="parquet", shape=shape)
        assert response.headers["content-type"] == "application/vnd.apache.parquet"
        exported_lines = await lines(workspace.agent, hostile, shape=shape)
        rows = parquet_rows(response.content)
        assert len(rows) == len(exported_lines) >= len(NASTY)
        for row, line in zip(rows, exported_lines, strict=True):
            assert row == {name: column_of(line, name) for name in row}
        table = (await exported(workspace.agent, hostile, format="csv", shape=shape)).content
        # Only pairs have typed columns, and with them the column for values that don't fit.
        assert list(rows[0]) == [*csv_rows(table)[0], *(["unconverted"] if shape == "pairs" else [])]

    @pytest.mark.parametrize("file_format", FORMATS)
    @pytest.mark.parametrize("shape", SHAPES)
    async def test_nothing_to_export(
        self, workspace: Workspace, form: dict[str, Any], shape: str, file_format: str
    ) -> None:
        response = await exported(workspace.agent, form, format=file_format, shape=shape)
        if file_format == "jsonl":
            assert response.content == b""
        elif file_format == "csv":
            assert response.content.count(b"\r\n") == 1
            assert response.content.startswith(b'"reviewId",')
        else:
            assert parquet_rows(response.content) == []

    @pytest.mark.parametrize("file_format", FORMATS)
    @pytest.mark.parametrize("shape", SHAPES)
    async def test_file_name(self, workspace: Workspace, form: dict[str, Any], shape: str, file_format: str) -> None:
        for response in (
            await exported(workspace.agent, form, format=file_format, shape=shape),
            await workspace.agent.head(
                "/responses/export", params={"formId": form["formId"], "format": file_format, "shape": shape}
            ),
        ):
            name = f'attachment; filename="{form["formId"]}-{shape}.{file_format}"'
            assert response.headers["content-disposition"] == name


def as_text(value: Any) -> str:
    """A value as a cell shows it."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def undone(cell: str) -> str:
    """As the page says: an apostrophe in front of a formula isn't part of the text."""
    return cell[1:] if cell.startswith("'") and cell.lstrip("'")[:1] in set("=+-@\t\r\n＝＋－＠") else cell  # noqa: RUF001


def column_of(line: dict[str, Any], name: str) -> Any:
    """A column in Parquet: numbers, booleans and messages typed, everything else as text."""
    if name in ("messages", "autoApproved") or isinstance(line.get(name), list):
        return line.get(name)
    field, _, kind = name.partition(".")
    if not kind:
        value = line.get(name)
    else:
        value = line["fields"].get(field, {}).get(kind if kind == "wasEdited" else f"{kind}Value")
    return value if kind == "wasEdited" or field == "score" or value is None else as_text(value)


async def make_several(workspace: Workspace) -> dict[str, Any]:
    form = await workspace.make_form(**DRAFT)
    for number in range(7):
        response = "rejected" if number % 3 == 2 else "approved"
        edits = {"headline": f"Edited {number}"} if number % 2 else {}
        await decided(workspace, form, response, edits=edits, data={**DATA, "headline": f"Draft {number}"})
    return form


@pytest.fixture(scope="module")
async def several(workspace: Workspace) -> dict[str, Any]:
    """Shared by tests that only read it."""
    return await make_several(workspace)


class TestPages:
    @pytest.mark.parametrize("file_format", ["jsonl", "csv"])
    @pytest.mark.parametrize("shape", SHAPES)
    @pytest.mark.parametrize("size", [1, 3, 6, 7, 100])
    async def test_pages_are_complete(
        self, workspace: Workspace, several: dict[str, Any], shape: str, file_format: str, size: int
    ) -> None:
        params = {"format": file_format, "shape": shape}
        whole = (await exported(workspace.agent, several, **params)).content
        pieces, cursor = b"", None
        for _ in range(8):
            after = {} if cursor is None else {"after": cursor}
            response = await exported(workspace.agent, several, **params, limit=size, **after)
            pieces += response.content
            cursor = response.headers.get("x-next-cursor")
            if cursor is None:
                break
        assert cursor is None
        assert pieces == whole

    @pytest.mark.parametrize("shape", SHAPES)
    async def test_parquet_pages(self, workspace: Workspace, several: dict[str, Any], shape: str) -> None:
        params = {"format": "parquet", "shape": shape}
        whole = parquet_rows((await exported(workspace.agent, several, **params)).content)
        first = await exported(workspace.agent, several, **params, limit=4)
        rest = await exported(workspace.agent, several, **params, after=first.headers["x-next-cursor"])
        assert parquet_rows(first.content) + parquet_rows(rest.content) == whole

    @pytest.mark.parametrize("shape", SHAPES)
    async def test_continue_after_any_line(self, workspace: Workspace, several: dict[str, Any], shape: str) -> None:
        whole = await lines(workspace.agent, several, shape=shape)
        for index, line in enumerate(whole):
            assert await lines(workspace.agent, several, shape=shape, after=line["cursor"]) == whole[index + 1 :]

    async def test_end_is_announced_in_a_header(self, workspace: Workspace, several: dict[str, Any]) -> None:
        for limit, more in ((6, True), (7, False), (8, False)):
            response = await exported(workspace.agent, several, limit=limit)
            assert ("x-next-cursor" in response.headers) == more
        assert "x-next-cursor" not in (await exported(workspace.agent, several)).headers


class TestChangingPages:
    @pytest.fixture
    async def several(self, workspace: Workspace) -> dict[str, Any]:
        return await make_several(workspace)

    async def test_after_a_deleted_review(self, workspace: Workspace, several: dict[str, Any]) -> None:
        whole = await lines(workspace.agent, several)
        await assert_ok(workspace.agent.delete(f"/reviews/{whole[3]['reviewId']}"))
        assert await lines(workspace.agent, several, after=whole[3]["cursor"]) == whole[4:]

    async def test_later_decisions(self, workspace: Workspace, several: dict[str, Any]) -> None:
        last = (await lines(workspace.agent, several))[-1]["cursor"]
        assert await lines(workspace.agent, several, after=last) == []
        review_id = await decided(workspace, several)
        assert [line["reviewId"] for line in await lines(workspace.agent, several, after=last)] == [review_id]

    async def test_unreadable_review_does_not_end_the_export(
        self, service: Service, workspace: Workspace, several: dict[str, Any]
    ) -> None:
        """Accepted content stays, although later releases may be stricter."""
        strange = (await lines(workspace.agent, several))[3]["reviewId"]
        connection = await asyncpg.connect(service.dsn())
        try:
            await connection.execute(
                'update review_revisions set data = \'{"score": "seven"}\' where review_id = $1', strange
            )
        finally:
            await connection.close()
        exported_lines = await lines(workspace.agent, several)
        assert len(exported_lines) == 7
        assert exported_lines[3]["fields"]["headline"] == {
            "suggestedValue": None,
            "approvedValue": "Edited 3",
            "wasEdited": True,
        }
        assert strange not in [line["reviewId"] for line in await lines(workspace.agent, several, shape="dpo")]

    async def test_same_decision_time(self, service: Service, workspace: Workspace, several: dict[str, Any]) -> None:
        connection = await asyncpg.connect(service.dsn())
        try:
            await connection.execute(
                "update reviews set responded_at = '2026-01-01 00:00:00.000001Z' where form_id = $1", several["formId"]
            )
        finally:
            await connection.close()
        whole = await lines(workspace.agent, several)
        assert sorted(line["reviewId"] for line in whole) == [line["reviewId"] for line in whole]
        assert len(whole) == 7
        for index, line in enumerate(whole):
            assert await lines(workspace.agent, several, after=line["cursor"]) == whole[index + 1 :]


class TestRefused:
    @pytest.mark.parametrize(
        ("params", "path"),
        [
            ({"formId": None}, "formId"),
            ({"formId": ""}, "formId"),
            ({"format": "xml"}, "format"),
            ({"format": ""}, "format"),
            ({"shape": "ppo"}, "shape"),
            ({"filterResponse": "maybe"}, "filterResponse"),
            ({"filterResponse": "rejected", "shape": "sft"}, "filterResponse"),
            ({"fieldIds": "headline,nope"}, "fieldIds"),
            ({"fieldIds": "headline,"}, "fieldIds"),
            ({"fieldIds": ""}, "fieldIds"),
            ({"fieldIds": "meta.ticket"}, "fieldIds"),
            ({"limit": "0"}, "limit"),
            ({"limit": "-1"}, "limit"),
            ({"limit": "ten"}, "limit"),
            ({"limit": "99999999999"}, "limit"),
            ({"after": ""}, "after"),
            ({"after": "rev_01a1de8ac9c05b7f80e2d91a36c4"}, "after"),
            ({"after": "1_rev_01a1de8ac9c05b7f80e2d91a36c4\n"}, "after"),
            ({"after": f"{'9' * 18}_rev_01a1de8ac9c05b7f80e2d91a36c4"}, "after"),
        ],
    )
    async def test_bad_parameters(
        self, workspace: Workspace, form: dict[str, Any], params: dict[str, str | None], path: str
    ) -> None:
        query = {name: value for name, value in {"formId": form["formId"], **params}.items() if value is not None}
        problem = await assert_error(workspace.agent.get("/responses/export", params=query), 400, "invalid_query")
        error_at(problem, path)

    async def test_the_largest_cursor(self, workspace: Workspace, form: dict[str, Any]) -> None:
        await decided(workspace, form)
        assert await lines(workspace.agent, form, after=f"{'9' * 17}_rev_{'f' * 28}") == []

    async def test_unknown_and_another_accounts(self, service: Service, workspace: Workspace) -> None:
        other = await open_second_account(service)
        theirs = await other.make_form(**DRAFT)
        await decided(other, theirs)
        for form_id in ("frm_unknown", theirs["formId"]):
            response = workspace.agent.get("/responses/export", params={"formId": form_id})
            await assert_error(response, 404, "not_found")
        assert len(await lines(other.agent, theirs)) == 1

    async def test_permissions(self, workspace: Workspace, form: dict[str, Any]) -> None:
        review = await workspace.request(form, data=DATA, extReviewers=["outside@example.com"])
        token = httpx.URL(review["extReviewerLinks"][0]["link"]).params["token"]
        params = {"formId": form["formId"]}
        key = await assert_ok(workspace.manager.post("/apiKeys", json={"name": "writer", "scopes": ["reviews:write"]}))
        for client, status in (
            (workspace.public, 401),
            (workspace.client(**{"x-review-token": token}), 403),
            (workspace.client(**{"x-api-key": key["apiKey"]}), 403),
        ):
            await assert_error(client.get("/responses/export", params=params), status)
        _, viewer = await workspace.make_person("viewer")
        assert (await viewer.get("/responses/export", params=params)).status_code == 200
