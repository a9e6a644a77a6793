"""`GET /fetchResponses`: the same queries with more and more responses stored."""

import json
from urllib.parse import urlencode

from bench.environment import Environment
from bench.requests import measure_reads

QUERIES = {
    "newest": None,
    "few match": {"field": "headline.value", "operation": "==", "value": "Past review 17"},
    "half match": {"field": "channel.value", "operation": "==", "value": "blog"},
    "two filters": [
        {"field": "channel.value", "operation": "==", "value": "blog"},
        {"field": "score.value", "operation": "==", "value": 4},
    ],
    "no index, many match": {"field": "score.value", "operation": ">=", "value": 5},
    "no index, none match": {"field": "headline.value", "operation": "contains", "value": "nowhere"},
}


def measure(environment: Environment, rounds: int, seconds: float) -> dict[str, dict[str, float]]:
    with environment.server("api"):
        return {
            name: measure_reads(environment, _path(environment, question), rounds, seconds)
            for name, question in QUERIES.items()
        }


def _path(environment: Environment, question: object) -> str:
    params = {"formId": environment.form_id, "fieldIds": "headline,score", "limit": 20}
    if question is not None:
        filters = question if isinstance(question, list) else [question]
        params["filterResponseValues"] = json.dumps(filters)
    return f"/api/v1/fetchResponses?{urlencode(params)}"
