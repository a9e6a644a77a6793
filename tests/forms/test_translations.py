"""The texts of a review type in other languages: how they are validated, stored and compared."""

from typing import Any

import pytest
from form_strategies import any_json, fits_in_a_request, spoiled
from hypothesis import given
from hypothesis import strategies as st
from support.api import Workspace, assert_error, assert_ok, unique

from signoff.forms.definition import InvalidDefinition, compile_definition
from signoff.forms.fields import FIELD_TYPES
from signoff.platform.messages import LANGUAGES

OPTIONS = [{"id": "blog", "label": "Blog"}, {"id": "mail", "label": "Mail"}]
FORM: dict[str, Any] = {
    "name": "Review draft",
    "fields": [
        {"id": "headline", "type": "text", "label": "Headline", "help": "One line"},
        {"id": "channel", "type": "dropdown", "options": OPTIONS},
        {"id": "tags", "type": "checkboxes"},
        {"id": "urgent", "type": "boolean", "trueLabel": "Today", "falseLabel": "Can wait"},
        {"id": "items", "type": "list", "item": [{"id": "price", "type": "number", "unit": "euros"}]},
        {"id": "lines", "type": "table", "columns": [{"id": "kind", "type": "buttons", "options": OPTIONS}]},
        {"id": "code", "type": "code", "language": "python"},
        {"id": "note", "type": "label", "text": "Read me"},
    ],
    "layout": [{"kind": "group", "id": "where", "label": "Where", "children": [{"kind": "field", "field": "channel"}]}],
}
GERMAN: dict[str, Any] = {
    "name": "Entwurf prüfen",
    "fields": {
        "headline": {"label": "Überschrift", "help": "Eine Zeile", "placeholder": "Titel"},
        "channel": {"label": "Kanal", "options": {"mail": {"label": "E-Mail"}}},
        "urgent": {"trueLabel": "Heute", "falseLabel": "Später"},
        "items": {"label": "Posten", "fields": {"price": {"label": "Preis", "unit": "Euro"}}},
        "lines": {"fields": {"kind": {"options": {"blog": {"label": "Netztagebuch"}}}}},
        "note": {"text": "Lies **mich**"},
    },
    "groups": {"where": {"label": "Wo"}},
}


def errors_of(translations: Any, **form: Any) -> list[tuple[str, str]]:
    with pytest.raises(InvalidDefinition) as caught:
        compile_definition({**FORM, "translations": translations, **form})
    return [(error.path, error.code) for error in caught.value.errors]


def normal_form(translations: Any) -> Any:
    return compile_definition({**FORM, "translations": translations}).to_json().get("translations")


def without_empty(written: Any) -> Any:
    """Without nulls and empty objects."""
    if not isinstance(written, dict):
        return written
    members = {name: without_empty(value) for name, value in written.items()}
    return {name: value for name, value in members.items() if value not in (None, {})}


class TestNormalForm:
    def test_is_unchanged(self) -> None:
        assert normal_form({"de": GERMAN}) == {"de": GERMAN}

    def test_every_supported_language(self) -> None:
        translations = {language: {"name": f"Name ({language})"} for language in LANGUAGES}
        assert normal_form(translations) == translations

    @pytest.mark.parametrize("nothing", [None, {}, {"de": None}])
    def test_none_are_left_out(self, nothing: Any) -> None:
        assert "translations" not in compile_definition({**FORM, "translations": nothing}).to_json()

    def test_language_without_texts_stays(self) -> None:
        assert normal_form({"de": {}}) == {"de": {}}

    def test_empty_texts_are_omitted(self) -> None:
        empty = {"name": None, "fields": {"headline": {"label": None}, "channel": {"options": {"mail": {}}}}}
        assert normal_form({"de": empty}) == {"de": {}}

    @given(spoiled({"de": GERMAN}) | st.fixed_dictionaries({"de": any_json}) | any_json)
    def test_any_json_is_kept_or_rejected_with_its_path(self, translations: Any) -> None:
        try:
            definition = compile_definition({**FORM, "translations": translations})
        except InvalidDefinition as refusal:
            named = {error.path.split(".")[0] for error in refusal.errors}
        else:
            named = {"translations"}
            written = definition.to_json().get("translations")
            assert (without_empty(written) or {}) == (without_empty(translations) or {})
            assert compile_definition(definition.to_json()) == definition
        assert named == {"translations"}


class TestRefused:
    @pytest.mark.parametrize(
        ("german", "path", "code"),
        [
            ({"title": "x"}, "title", "unknown_member"),
            ({"name": 1}, "name", "wrong_type"),
            ({"name": ""}, "name", "empty_text"),
            ({"name": "x" * 201}, "name", "too_long"),
            ({"fields": []}, "fields", "wrong_type"),
            ({"fields": {"gone": {"label": "x"}}}, "fields.gone", "unknown_field"),
            ({"fields": {"headline": "x"}}, "fields.headline", "wrong_type"),
            ({"fields": {"headline": {"label": ["x"]}}}, "fields.headline.label", "wrong_type"),
            ({"fields": {"headline": {"label": " \n"}}}, "fields.headline.label", "empty_text"),
            ({"fields": {"headline": {"label": "x" * 201}}}, "fields.headline.label", "too_long"),
            ({"fields": {"headline": {"help": "x" * 2_001}}}, "fields.headline.help", "too_long"),
            ({"fields": {"urgent": {"trueLabel": "x" * 101}}}, "fields.urgent.trueLabel", "too_long"),
            ({"fields": {"headline": {"unit": "x"}}}, "fields.headline.unit", "unknown_setting"),
            ({"fields": {"headline": {"maxLength": "x"}}}, "fields.headline.maxLength", "unknown_setting"),
            ({"fields": {"headline": {"options": {}}}}, "fields.headline.options", "unknown_setting"),
            ({"fields": {"headline": {"fields": {}}}}, "fields.headline.fields", "unknown_setting"),
            ({"fields": {"code": {"language": "x"}}}, "fields.code.language", "unknown_setting"),
            ({"fields": {"channel": {"options": 1}}}, "fields.channel.options", "wrong_type"),
            (
                {"fields": {"channel": {"options": {"gone": {"label": "x"}}}}},
                "fields.channel.options.gone",
                "unknown_option",
            ),
            ({"fields": {"tags": {"options": {"a": {"label": "x"}}}}}, "fields.tags.options.a", "unknown_option"),
            ({"fields": {"channel": {"options": {"mail": "x"}}}}, "fields.channel.options.mail", "wrong_type"),
            (
                {"fields": {"channel": {"options": {"mail": {"id": "x"}}}}},
                "fields.channel.options.mail.id",
                "unknown_member",
            ),
            (
                {"fields": {"channel": {"options": {"mail": {"label": ""}}}}},
                "fields.channel.options.mail.label",
                "empty_text",
            ),
            (
                {"fields": {"channel": {"options": {"mail": {"label": "x" * 1_001}}}}},
                "fields.channel.options.mail.label",
                "too_long",
            ),
            ({"fields": {"items": {"fields": {"gone": {}}}}}, "fields.items.fields.gone", "unknown_field"),
            (
                {"fields": {"items": {"fields": {"price": {"label": 1}}}}},
                "fields.items.fields.price.label",
                "wrong_type",
            ),
            ({"groups": {"channel": {"label": "x"}}}, "groups.channel", "unknown_group"),
            ({"groups": {"where": {"help": "x"}}}, "groups.where.help", "unknown_member"),
            ({"groups": {"where": {"label": "x" * 201}}}, "groups.where.label", "too_long"),
        ],
    )
    def test_reports_the_path(self, german: Any, path: str, code: str) -> None:
        assert errors_of({"de": german}) == [(f"translations.de.{path}", code)]

    @pytest.mark.parametrize("language", ["it", "de-AT", "DE", "pt", ""])
    def test_another_language(self, language: str) -> None:
        assert errors_of({language: {}}) == [(f"translations.{language}", "unknown_language")]

    def test_reports_all_errors(self) -> None:
        german = {"name": "", "fields": {"headline": {"label": "", "unit": "x"}}}
        assert [path for path, _ in errors_of({"de": german, "it": {}})] == [
            "translations.de.name",
            "translations.de.fields.headline.label",
            "translations.de.fields.headline.unit",
            "translations.it",
        ]

    def test_texts_of_an_invalid_field_are_not_unknown(self) -> None:
        broken = [{"id": "headline", "type": "text", "maxLength": "x"}]
        texts = {"headline": {"label": "Überschrift"}}
        assert errors_of({"de": {"fields": texts}}, fields=broken, layout=None) == [
            ("fields[0].maxLength", "wrong_type")
        ]

    def test_long_ids_are_truncated_in_the_path(self) -> None:
        assert errors_of({"de": {"fields": {"x" * 5_000: {}}}}) == [
            (f"translations.de.fields.{'x' * 100}", "unknown_field")
        ]


class TestCatalogue:
    def test_lists_translatable_texts(self) -> None:
        translatable = {
            (name, setting.name)
            for name, kind in FIELD_TYPES.items()
            for setting in kind.all_settings()
            if "translatable" in setting.to_json()
        }
        assert {(name, "label") for name in FIELD_TYPES} < translatable
        assert ("number", "unit") in translatable
        assert not translatable & {("code", "language"), ("text", "pattern"), ("text", "maxLength")}


async def make(workspace: Workspace, **members: Any) -> dict[str, Any]:
    return await assert_ok(workspace.manager.post("/forms", json={**FORM, **members}))


async def change(workspace: Workspace, form: dict[str, Any], **members: Any) -> dict[str, Any]:
    return await assert_ok(workspace.manager.patch(f"/forms/{form['formId']}", json=members))


async def compare(workspace: Workspace, form: dict[str, Any]) -> dict[str, Any]:
    return await assert_ok(workspace.manager.get(f"/forms/{form['formId']}/compare"))


class TestOverHttp:
    async def test_saved_with_the_version(self, workspace: Workspace) -> None:
        form = await make(workspace, translations={"de": GERMAN})
        assert form["translations"] == {"de": GERMAN}
        assert (await assert_ok(workspace.manager.get(f"/forms/{form['formId']}")))["translations"] == {"de": GERMAN}
        versions = await assert_ok(workspace.manager.get(f"/forms/{form['formId']}/versions"))
        assert versions["items"][0]["definition"]["translations"] == {"de": GERMAN}

    async def test_absent_without(self, workspace: Workspace) -> None:
        form = await make(workspace)
        version = await assert_ok(workspace.manager.get(f"/forms/{form['formId']}/versions/1"))
        exported = await assert_ok(workspace.manager.get(f"/forms/{form['formId']}/export"))
        assert all("translations" not in document for document in (form, version["definition"], exported))

    async def test_refused_with_the_path(self, workspace: Workspace) -> None:
        german = {"fields": {"channel": {"options": {"mail": {"label": ""}}}}}
        body = {**FORM, "translations": {"de": german, "xx": {}}}
        problem = await assert_error(workspace.manager.post("/forms", json=body), 422, "invalid")
        assert [(error["path"], error["code"]) for error in problem["errors"]] == [
            ("translations.de.fields.channel.options.mail.label", "empty_text"),
            ("translations.xx", "unknown_language"),
        ]

    @given(translations=spoiled({"de": GERMAN}).filter(fits_in_a_request))
    async def test_any_json_gets_a_response(self, workspace: Workspace, translations: Any) -> None:
        checked = await assert_ok(
            workspace.manager.post("/forms/check", json={"form": {**FORM, "translations": translations}})
        )
        assert checked["valid"] is not any(error["path"].startswith("translations") for error in checked["errors"])

    async def test_each_change_creates_a_version(self, workspace: Workspace) -> None:
        form = await make(workspace)
        added = await change(workspace, form, translations={"de": GERMAN})
        assert (added["version"], added["translations"]) == (2, {"de": GERMAN})
        assert (await change(workspace, form, translations={"de": GERMAN}))["version"] == 2
        assert (await change(workspace, form, name="Other"))["translations"] == {"de": GERMAN}
        removed = await change(workspace, form, translations=None)
        assert removed["version"] == 4
        assert "translations" not in removed

    async def test_removing_a_field_removes_its_texts(self, workspace: Workspace) -> None:
        form = await make(workspace, translations={"de": {"fields": {"note": {"text": "Lies mich"}}}})
        fields = FORM["fields"][:-1]
        call = workspace.manager.patch(f"/forms/{form['formId']}", json={"fields": fields})
        [error] = (await assert_error(call, 422, "invalid"))["errors"]
        assert (error["path"], error["code"]) == ("translations.de.fields.note", "unknown_field")
        assert (await change(workspace, form, fields=fields, translations=None))["version"] == 2

    async def test_an_option_leaves_with_its_label(self, workspace: Workspace) -> None:
        german = {"name": "Entwurf", "fields": {"channel": {"options": {"mail": {"label": "E-Mail"}}}}}
        form = await make(workspace, translations={"de": german})
        fields = [{**field, "options": OPTIONS[:1]} if field["id"] == "channel" else field for field in FORM["fields"]]
        call = workspace.manager.patch(f"/forms/{form['formId']}", json={"fields": fields})
        [error] = (await assert_error(call, 422, "invalid"))["errors"]
        assert error["path"] == "translations.de.fields.channel.options.mail"
        changed = await change(workspace, form, fields=fields, translations={"de": {"name": "Entwurf"}})
        assert changed["version"] == 2

    async def test_every_page_gets_all_languages(self, workspace: Workspace) -> None:
        agent = await workspace.make_agent()
        members = {"agentId": agent["agentId"], "translations": {"de": GERMAN}}
        review = await workspace.request(
            await make(workspace, **members), data={"headline": "x"}, extReviewers=["outside@example.com"]
        )
        place, token = (
            f"/reviews/{review['reviewId']}/form",
            review["extReviewerLinks"][0]["link"].partition("token=")[2],
        )
        trigger_id = (await make(workspace, **members, trigger=True))["formId"]
        public = await assert_ok(workspace.manager.put(f"/forms/{trigger_id}/publicLink", json={}))
        calls = (
            workspace.owner.get(place),
            workspace.public.get(place, headers={"x-review-token": token}),
            workspace.owner.get(f"/triggers/{trigger_id}"),
            workspace.public.get(f"/public/triggers/{public['link'].rpartition('/')[2]}"),
        )
        for call in calls:
            shown = await assert_ok(call)
            shown = shown.get("definition", shown)
            assert (shown["name"], shown["translations"]) == (FORM["name"], {"de": GERMAN})

    async def test_restored(self, workspace: Workspace) -> None:
        form = await make(workspace)
        await change(workspace, form, translations={"de": GERMAN})
        first = await assert_ok(workspace.manager.post(f"/forms/{form['formId']}/restore", json={"version": 1}))
        assert (first["version"], "translations" in first) == (3, False)
        second = await assert_ok(workspace.manager.post(f"/forms/{form['formId']}/restore", json={"version": 2}))
        assert second["translations"] == {"de": GERMAN}

    async def test_duplicated_exported_and_imported(self, workspace: Workspace) -> None:
        form = await make(workspace, name=unique("Translated"), translations={"de": GERMAN})
        copy = await assert_ok(workspace.manager.post(f"/forms/{form['formId']}/duplicate", json={}))
        exported = await assert_ok(workspace.manager.get(f"/forms/{form['formId']}/export"))
        imported = await assert_ok(workspace.manager.post("/forms/import", json=exported))
        assert copy["translations"] == exported["translations"] == imported["form"]["translations"] == {"de": GERMAN}

    async def test_a_list_has_the_names(self, workspace: Workspace) -> None:
        agent = await workspace.make_agent()
        translations = {"de": GERMAN, "ar": {"name": "مراجعة"}, "fr": {"groups": {"where": {"label": "Où"}}}}
        members = {"agentId": agent["agentId"], "trigger": True}
        translated = await make(workspace, **members, translations=translations)
        unnamed = await make(workspace, **members, translations={"fr": translations["fr"]})
        plain = await make(workspace, **members)
        for place in ("/forms", "/triggers"):
            rows = (await assert_ok(workspace.owner.get(place, params={"agentId": agent["agentId"]})))["items"]
            names = {row["formId"]: row.get("translatedNames", "absent") for row in rows}
            assert names == {
                translated["formId"]: {"de": "Entwurf prüfen", "ar": "مراجعة"},
                unnamed["formId"]: "absent",
                plain["formId"]: "absent",
            }

    async def test_as_large_as_they_get(self, workspace: Workspace) -> None:
        """Every text with its maximum length, in every language."""
        options = [{"id": f"o{number}", "label": "x"} for number in range(50)]
        fields = [{"id": f"f{number}", "type": "dropdown", "options": options} for number in range(20)]
        labels = {option["id"]: {"label": "ö" * 1_000} for option in options}
        texts = {field["id"]: {"label": "ö" * 200, "help": "ö" * 2_000, "options": labels} for field in fields}
        translations = {language: {"name": "ö" * 200, "fields": texts} for language in LANGUAGES}
        members = {"fields": fields, "layout": None, "translations": translations}
        form = await make(workspace, **members)
        assert form["translations"] == translations
        restored = await change(workspace, form, translations=None)
        assert "translations" not in restored

    async def test_more_languages_than_there_are(self, workspace: Workspace) -> None:
        translations = {f"x-{number}": {"name": "x"} for number in range(5_000)}
        problem = await assert_error(workspace.manager.post("/forms", json={**FORM, "translations": translations}), 422)
        assert {error["code"] for error in problem["errors"]} <= {"unknown_language", "more_errors"}
        assert len(problem["errors"]) < 60

    async def test_nested_deeper_than_fields_go(self, workspace: Workspace) -> None:
        nested: dict[str, Any] = {"label": "Tief"}
        for _ in range(50):
            nested = {"fields": {"price": nested}}
        body = {**FORM, "translations": {"de": {"fields": {"items": nested}}}}
        [error] = (await assert_error(workspace.manager.post("/forms", json=body), 422, "invalid"))["errors"]
        assert error["path"] == "translations.de.fields.items.fields.price.fields"
        assert error["code"] == "unknown_setting"


class TestPrograms:
    """Output for programs is the same with and without translations."""

    async def test_schemas_code_and_listings(self, workspace: Workspace) -> None:
        plain, translated = await make(workspace), await make(workspace, translations={"de": GERMAN})
        for place, params in (
            ("/forms/{}/code", {"language": "typescript"}),
            ("/forms/{}/code", {"language": "python"}),
            ("/forms/{}/code", {"language": "jsonschema"}),
            ("/fetchSchemaForFormFields?formId={}", None),
        ):
            read = [await self.read(workspace, form["formId"], place, params) for form in (plain, translated)]
            assert read[0] == read[1]
        listings = {row["id"]: row for row in (await assert_ok(workspace.agent.get("/fetchReviewForms")))["forms"]}
        assert listings[plain["formId"]] | {"id": ""} == listings[translated["formId"]] | {"id": ""}

    async def read(self, workspace: Workspace, form_id: str, place: str, params: dict[str, str] | None) -> str:
        headers = {"accept-language": "de"}
        response = await workspace.manager.get(place.format(form_id), params=params, headers=headers)
        assert response.status_code == 200
        return response.text.replace(form_id, "")

    async def test_preview(self, workspace: Workspace) -> None:
        data = {
            "headline": "x",
            "channel": "mail",
            "urgent": True,
            "items": [{"price": 3}],
            "lines": [{"kind": "blog"}],
        }
        submitted = {"response": "approved", "data": {"channel": "blog"}}
        results: list[Any] = []
        for translations in (None, {"de": GERMAN, "en": GERMAN}):
            body = {"form": {**FORM, "translations": translations}, "data": data, "submitted": submitted}
            headers = {"accept-language": "de"}
            result = await assert_ok(workspace.manager.post("/forms/preview", json=body, headers=headers))
            result["event"] |= {"createdAt": "", "reviewResult": {**result["event"]["reviewResult"], "respondedAt": ""}}
            results.append(result)
        assert results[0] == results[1]
        assert results[0]["event"]["formName"] == FORM["name"]


class TestComparison:
    async def test_describes_each_language(self, workspace: Workspace) -> None:
        french = {"name": "Relire", "groups": {"where": {"label": "Où"}}}
        form = await make(workspace, translations={"de": GERMAN, "fr": french})
        fewer = {**GERMAN, "name": "Entwurf ansehen", "groups": {}}
        await change(workspace, form, translations={"de": fewer, "pt-BR": {"name": "Revisar"}})
        comparison = await compare(workspace, form)
        assert comparison["breaking"] == []
        assert [(change["kind"], change["message"]) for change in comparison["compatible"]] == [
            ("translationChanged", "2 German translations changed"),
            ("languageRemoved", "the French translations were removed"),
            ("languageAdded", "the Brazilian Portuguese translations were added"),
        ]
        [member] = comparison["members"]
        assert member["member"] == "translations"
        assert member["before"] == {"de": GERMAN, "fr": french}

    async def test_empty_without_a_change(self, workspace: Workspace) -> None:
        form = await make(workspace, translations={"de": GERMAN})
        await change(workspace, form, name="Other")
        comparison = await compare(workspace, form)
        assert comparison["compatible"] == []
        assert [member["member"] for member in comparison["members"]] == ["name"]

    async def test_before_saving(self, workspace: Workspace) -> None:
        form = await make(workspace)
        body = {"form": {**FORM, "translations": {"de": GERMAN}}, "formId": form["formId"]}
        checked = await assert_ok(workspace.manager.post("/forms/check", json=body))
        assert [change["kind"] for change in checked["changes"]["compatible"]] == ["languageAdded"]
