from typing import Literal

from pydantic import Field

from signoff.platform.schemas import ResponseModel, example


class OwnWork(ResponseModel):
    agents: int = Field(
        description=(
            "Agents that stay: those that people created, and demo agents that have review types or reviews "
            "created by people."
        )
    )
    review_types: int = Field(description="Review types that people created. They stay.")
    edited_review_types: int = Field(
        description="Demo review types that people changed. They're removed with the demo."
    )


class DemoState(ResponseModel):
    model_config = example({"state": "ready", "own": {"agents": 1, "reviewTypes": 2, "editedReviewTypes": 0}})

    state: Literal["none", "filling", "ready"] = Field(
        description="`filling`: the demo data is being created. `none`: there's no demo data."
    )
    own: OwnWork | None = Field(
        default=None,
        description="What people created or changed in the demo workspace. Omitted if there's no demo data.",
    )
