"""The effect of a transform on an image's size: pure arithmetic. Options have the same meaning as in the sharp
library.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:  # The decoder process imports this module, and doesn't need the parts behind that one.
    from signoff.forms.fields.transform import Transform


@dataclass(frozen=True, slots=True)
class ResizePlan:
    """The image is first resized to `width` by `height`, then cropped or padded to the canvas."""

    width: int
    height: int
    canvas_width: int
    canvas_height: int

    @property
    def then(self) -> Literal["cut", "pad", "nothing"]:
        if (self.width, self.height) == (self.canvas_width, self.canvas_height):
            return "nothing"
        return "cut" if self.width >= self.canvas_width and self.height >= self.canvas_height else "pad"


def plan_resize(width: int, height: int, transform: "Transform") -> ResizePlan:
    across = width / transform.width if transform.width else None
    down = height / transform.height if transform.height else None
    if transform.fit == "fill":
        across, down = across or 1.0, down or 1.0
    elif across is None or down is None:
        across = down = across or down or 1.0
    elif transform.fit in {"cover", "outside"}:
        across = down = min(across, down)
    else:
        across = down = max(across, down)
    if transform.without_enlargement:
        across, down = max(1.0, across), max(1.0, down)
    scaled = max(1, round(width / across)), max(1, round(height / down))
    return ResizePlan(*scaled, *_canvas(scaled, transform))


def _canvas(scaled: tuple[int, int], transform: "Transform") -> tuple[int, int]:
    if not transform.width or not transform.height:
        return scaled
    if transform.fit == "contain":
        return transform.width, transform.height
    if transform.fit == "cover":
        return min(scaled[0], transform.width), min(scaled[1], transform.height)
    return scaled


def offset(position: str, room_across: int, room_down: int) -> tuple[int, int]:
    """Return the distance from left and top of the smaller rectangle in the larger one, with this much room."""
    words = position.split()
    left = 0 if "left" in words else room_across if "right" in words else room_across // 2
    top = 0 if "top" in words else room_down if "bottom" in words else room_down // 2
    return left, top
