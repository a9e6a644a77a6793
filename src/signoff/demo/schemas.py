from typing import Literal

from pydantic import Field

from signoff.platform.schemas import Answer


class OwnWork(Answer):
    agents: int
    review_types: int


class DemoState(Answer):
    state: Literal["none", "filling", "ready"] = Field(
        description="`filling`: it is being made. `none`: there is no demo, or it was removed."
    )
    own: OwnWork | None = Field(
        default=None, description="What people have made in the demo themselves. Absent without one."
    )
