"""What the agents work with: their names, their review types, and images they sent before."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from signoff.demo.agent.api_client import ApiClient

TYPES_WITH_PICTURES = ("Social post", "Product photos")
MAX_SEARCHED = 8


@dataclass(frozen=True)
class ReviewType:
    form_id: str
    name: str
    agent_id: str
    fields: list[dict[str, Any]]


@dataclass(frozen=True)
class AgentContext:
    agents: dict[str, str]
    """Names by ID."""
    review_types: dict[str, ReviewType]
    """Sorted by name."""
    pictures: list[str]

    def fields(self, form_id: str) -> list[dict[str, Any]]:
        return next((each.fields for each in self.review_types.values() if each.form_id == form_id), list[Any]())

    def label(self, form_id: str, field_id: str) -> str:
        """The label that reviewers see."""
        labels = (field.get("label") for field in self.fields(form_id) if field["id"] == field_id)
        return next(labels, None) or field_id


async def load_context(api: ApiClient, agent_ids: set[str]) -> AgentContext:
    agents = {
        agent["agentId"]: agent["name"]
        for agent in (await api.get("/agents", limit=200))["items"]
        if agent["agentId"] in agent_ids
    }
    forms = (await api.get("/fetchReviewForms"))["forms"]
    review_types = {
        form["name"]: ReviewType(form["id"], form["name"], form["agentId"], form["fields"])
        for form in forms
        if form["agentId"] in agents
    }
    return AgentContext(agents, review_types, await _pictures(api, review_types))


async def _pictures(api: ApiClient, review_types: dict[str, ReviewType]) -> list[str]:
    """URLs of stored images from earlier reviews. To upload a new one, use `POST /uploadFiles`."""
    pictures = dict[str, None]()
    for name in TYPES_WITH_PICTURES:
        if name in review_types:
            earlier = await api.get("/reviews", formId=review_types[name].form_id, limit=MAX_SEARCHED)
            for row in earlier["items"]:
                review = await api.get(f"/reviews/{row['reviewId']}")
                pictures |= dict.fromkeys(_addresses(review["data"]))
    return list(pictures)


def _addresses(value: Any) -> Iterator[str]:
    match value:
        case str() if "/media/" in value:
            yield value
        case dict() | list():
            inside = cast("dict[str, Any] | list[Any]", value)
            for inner in inside.values() if isinstance(inside, dict) else inside:
                yield from _addresses(inner)
        case _:
            pass
