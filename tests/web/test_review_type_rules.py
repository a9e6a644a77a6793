"""Rules, decisions and webhooks: set in the editor, read back over the API."""

import re

import pytest
from playwright.async_api import expect
from review_type_helpers import assert_no_errors, at_version, entry, open_editor, preview, published, tab
from support.api import Workspace, assert_ok, unique
from support.browser import Visitors
from web_helpers import button


class TestRules:
    @pytest.mark.slow
    async def test_nested_conditions_in_a_sentence(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await workspace.make_form()
        page = await open_editor(visitors, workspace, form, "?tab=rules")
        rule = page.get_by_role("article")
        await button(rule, "Add condition group").click()
        await rule.get_by_label("Match").nth(1).select_option("none of these are true")
        await rule.get_by_label("Field", exact=True).nth(1).select_option("Body")
        await rule.get_by_label("Operator").nth(1).select_option("contains")
        await rule.get_by_label("Value").nth(1).fill("embargo")
        await expect(rule.get_by_role("paragraph").first).to_contain_text("Score is at least 5")
        await expect(rule.get_by_role("paragraph").first).to_contain_text("Body contains")
        await assert_no_errors(page)
        after = await published(workspace, page, form, 2)
        [score, nested] = after["rules"][0]["when"]["all"]
        assert score == {"field": "score.value", "operation": "greaterThanOrEqual", "value": 5}
        [body] = nested["not"]["any"]
        assert (body["field"], body["value"]) == ("body.value", "embargo")

    async def test_hide_a_field(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await workspace.make_form(rules=[])
        page = await open_editor(visitors, workspace, form, "?tab=rules")
        await button(page, "Add rule").click()
        await page.get_by_label("Action").select_option("Hide")
        await page.get_by_label("Field or group").select_option("Body")
        await page.get_by_label("Field", exact=True).select_option("Score")
        await page.get_by_label("Value").fill("2")
        await expect(page.get_by_role("article").get_by_text("Hide Body when Score is at least 2.")).to_be_visible()
        await assert_no_errors(page)
        await tab(page, "Design").click()
        await expect(preview(page).get_by_label("Headline")).to_be_visible()
        await expect(preview(page).get_by_label("Body")).to_have_count(0)
        after = await published(workspace, page, form, 2)
        assert (after["rules"][0]["effect"], after["rules"][0]["target"]) == ("hide", "body")

    @pytest.mark.slow
    async def test_warns_about_fields_that_never_show(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await workspace.make_form()
        page = await open_editor(visitors, workspace, form, "?tab=rules")
        await button(page, "Add condition").click()
        await page.get_by_label("Field", exact=True).nth(1).select_option("Score")
        await page.get_by_label("Operator").nth(1).select_option("is at most")
        await page.get_by_label("Value").nth(1).fill("2")
        await expect(page.get_by_role("article").get_by_text(re.compile("never", re.IGNORECASE)).first).to_be_visible()
        await expect(page.get_by_role("button", name=re.compile("warning"))).to_be_visible()
        await page.get_by_label("Value").nth(1).fill("9")
        await assert_no_errors(page)

    @pytest.mark.slow
    async def test_cycle_is_an_error(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await workspace.make_form()
        page = await open_editor(visitors, workspace, form, "?tab=rules")
        await button(page, "Add rule").click()
        added = page.get_by_role("article").nth(1)
        await added.get_by_label("Field or group").select_option("Score")
        await added.get_by_label("Field", exact=True).select_option("Channel")
        await expect(page.get_by_role("article").get_by_text("creates a loop").first).to_be_visible()
        # Publishing lists the error instead of sending the review type.
        await page.keyboard.press("Control+s")
        menu_item = page.get_by_role("menuitem", name=re.compile("^Rule for .*Creates a loop"))
        await expect(menu_item.first).to_be_visible()
        assert (await assert_ok(workspace.owner.get(f"/forms/{form['formId']}")))["version"] == 1

    @pytest.mark.slow
    async def test_rule_with_a_removed_field_has_an_error(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await workspace.make_form()
        page = await open_editor(visitors, workspace, form)
        await entry(page, "Score (Number)").click()
        await page.keyboard.press("Delete")
        await page.get_by_role("button", name=re.compile("error")).first.click()
        await page.get_by_role("menuitem", name=re.compile("Rule")).click()
        await expect(page.get_by_role("article").get_by_text("must be the ID of a field, not")).to_be_visible()


@pytest.mark.slow
class TestBehavior:
    async def test_everything_is_saved_and_read_back(self, workspace: Workspace, visitors: Visitors) -> None:
        person, _ = await workspace.make_person("reviewer")
        group = await assert_ok(workspace.owner.post("/groups", json={"name": unique("Night shift"), "members": []}))
        form = await workspace.make_form(allowRetry=False)
        page = await open_editor(visitors, workspace, form, "?tab=behavior")
        await page.get_by_label("Add member").select_option(person["email"])
        await page.get_by_label("Add group").select_option(group["groupId"])
        outsider = page.get_by_label("Add external reviewer")
        await outsider.fill("guest@example.com")
        await outsider.press("Enter")
        await expect(button(page, "Remove guest@example.com")).to_be_visible()
        for switch in (
            "Allow requesting changes",
            "Approve and reject from Slack",
            "Auto-approve",
            "Use as trigger form",
        ):
            await page.get_by_role("switch", name=switch).click()
        await page.get_by_label("Webhook URL", exact=True).fill("https://example.com/results")
        await page.get_by_label("Tool webhook URL").fill("https://example.com/tool")
        await page.keyboard.press("Control+s")
        # Changing how reviews are decided affects receivers.
        dialog = page.get_by_role("dialog")
        await expect(dialog.get_by_text("These changes may break agents and webhooks")).to_be_visible()
        await button(dialog, "Publish").click()
        after = await at_version(workspace, page, form, 2)
        assert after["defaultReviewers"] == {
            "users": [person["email"]],
            "groups": [group["groupId"]],
            "external": ["guest@example.com"],
        }
        assert (after["allowRetry"], after["autoApprove"], after["trigger"]) == (True, True, True)
        assert after["decideFromChat"] is True
        assert after["webhookUrl"] == "https://example.com/results"
        assert after["toolWebhookUrl"] == "https://example.com/tool"
        # As the next person sees it.
        await page.reload()
        await expect(button(page, f"Remove {group['name']}")).to_be_visible()
        await expect(page.get_by_role("switch", name="Use as trigger form")).to_be_checked()
        await expect(page.get_by_label("Tool webhook URL")).to_have_value("https://example.com/tool")

    async def test_reviewers_can_be_removed(self, workspace: Workspace, visitors: Visitors) -> None:
        person, _ = await workspace.make_person("reviewer")
        reviewers = {"users": [person["email"]], "groups": [], "external": ["guest@example.com"]}
        form = await workspace.make_form(defaultReviewers=reviewers, webhookUrl="https://example.com/results")
        page = await open_editor(visitors, workspace, form, "?tab=behavior")
        await button(page, f"Remove {person['name']}").click()
        await page.get_by_label("Webhook URL", exact=True).fill("")
        after = await published(workspace, page, form, 2)
        assert after["defaultReviewers"] == {"users": [], "groups": [], "external": ["guest@example.com"]}
        assert after["webhookUrl"] is None

    async def test_error_is_at_its_control(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await workspace.make_form()
        page = await open_editor(visitors, workspace, form)
        await tab(page, "Settings").click()
        webhook = page.get_by_label("Webhook URL", exact=True)
        await webhook.fill("ftp://example.com")
        await expect(webhook).to_have_attribute("aria-invalid", "true")
        await expect(page.get_by_label("Tool webhook URL")).not_to_have_attribute("aria-invalid", "true")
        await tab(page, "Design").click()
        await page.get_by_role("button", name=re.compile("error")).first.click()
        await page.get_by_role("menuitem").first.click()
        await expect(webhook).to_be_visible()
