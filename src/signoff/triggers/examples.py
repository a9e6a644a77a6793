"""The trigger form in the API reference's examples: the same form, filled out by a person rather than by an agent."""

from signoff.forms.examples import COMPILED, NEW_FORM
from signoff.forms.submission import response_values
from signoff.forms.suggestion import trigger_suggestion
from signoff.platform.examples import AGENT_NAME
from signoff.platform.json_values import JsonObject

EMPTY = trigger_suggestion(COMPILED)
FILLED_IN: JsonObject = {"draft": {"headline": "Autumn news"}, "score": 7}
TRIGGER = {
    "formName": NEW_FORM["name"],
    "agentName": AGENT_NAME,
    "version": 1,
    "suggestion": {
        "revision": 1,
        "values": EMPTY.values,
        "responseValues": response_values(COMPILED, EMPTY),
    },
}
DEFINITION_OF_TRIGGER = {"version": 1, "name": NEW_FORM["name"], **COMPILED.to_json()}
