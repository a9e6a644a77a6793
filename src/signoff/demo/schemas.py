from typing import Literal

from pydantic import Field

from signoff.platform.schemas import Answer


class DemoState(Answer):
    state: Literal["none", "filling", "ready"] = Field(
        description="`filling`: it is being made. `none`: there is no demo, or it was removed."
    )
    done: float = Field(description="How much of it is there, from 0 to 1.")
