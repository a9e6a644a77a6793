"""The sizes of a transform, and the position of its crop or padding."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from signoff.forms.fields.transform import FITS, POSITIONS, Transform
from signoff.media.resize_plan import offset, plan_resize

Size = tuple[int, int]

sides = st.integers(1, 10_000)
transforms = st.builds(
    Transform,
    width=st.none() | sides,
    height=st.none() | sides,
    fit=st.sampled_from(FITS),
    position=st.sampled_from(POSITIONS),
    without_enlargement=st.booleans(),
)


@pytest.mark.parametrize(
    ("transform", "scaled", "canvas", "then"),
    [
        (Transform(100, 100), (200, 100), (100, 100), "cut"),
        (Transform(100, 100, "outside"), (200, 100), (200, 100), "nothing"),
        (Transform(100, 100, "contain"), (100, 50), (100, 100), "pad"),
        (Transform(100, 100, "inside"), (100, 50), (100, 50), "nothing"),
        (Transform(100, 100, "fill"), (100, 100), (100, 100), "nothing"),
        *((Transform(200, None, fit), (200, 100), (200, 100), "nothing") for fit in FITS if fit != "fill"),
        *((Transform(None, 50, fit), (100, 50), (100, 50), "nothing") for fit in FITS if fit != "fill"),
        (Transform(200, None, "fill"), (200, 200), (200, 200), "nothing"),
        (Transform(None, 50, "fill"), (400, 50), (400, 50), "nothing"),
        (Transform(800, 800), (1600, 800), (800, 800), "cut"),
        (Transform(800, 800, without_enlargement=True), (400, 200), (400, 200), "nothing"),
        (Transform(300, 800, without_enlargement=True), (400, 200), (300, 200), "cut"),
        (Transform(800, 800, "contain", without_enlargement=True), (400, 200), (800, 800), "pad"),
        (Transform(800, 800, "inside", without_enlargement=True), (400, 200), (400, 200), "nothing"),
        (Transform(800, 100, "fill", without_enlargement=True), (400, 100), (400, 100), "nothing"),
        (Transform(1, 1), (2, 1), (1, 1), "cut"),
        (Transform(1, 1, "inside"), (1, 1), (1, 1), "nothing"),
        (Transform(), (400, 200), (400, 200), "nothing"),
    ],
)
def test_of_an_image_twice_as_wide_as_high(transform: Transform, scaled: Size, canvas: Size, then: str) -> None:
    plan = plan_resize(400, 200, transform)
    assert (plan.width, plan.height) == scaled
    assert (plan.canvas_width, plan.canvas_height) == canvas
    assert plan.then == then


@given(width=sides, height=sides, transform=transforms)
def test_properties(width: int, height: int, transform: Transform) -> None:
    plan = plan_resize(width, height, transform)
    assert min(plan.width, plan.height, plan.canvas_width, plan.canvas_height) >= 1
    if transform.without_enlargement:
        assert plan.width <= width
        assert plan.height <= height
    if not (transform.width and transform.height):
        assert plan.then == "nothing"
        return
    requested_size = transform.width, transform.height
    canvas = plan.canvas_width, plan.canvas_height
    if transform.fit == "contain" or (transform.fit in {"cover", "fill"} and not transform.without_enlargement):
        assert canvas == requested_size
    if transform.fit == "inside":
        assert plan.canvas_width <= requested_size[0]
        assert plan.canvas_height <= requested_size[1]
    if transform.fit == "outside" and not transform.without_enlargement:
        assert plan.canvas_width >= requested_size[0]
        assert plan.canvas_height >= requested_size[1]
    if transform.fit != "fill" and min(plan.width, plan.height) > 1:  # the ratio holds except for rounding
        assert abs(plan.width / width - plan.height / height) <= max(1 / width, 1 / height)


@pytest.mark.parametrize(
    ("position", "place"),
    [
        ("center", (50, 10)),
        ("top", (50, 0)),
        ("right top", (100, 0)),
        ("right", (100, 10)),
        ("right bottom", (100, 20)),
        ("bottom", (50, 20)),
        ("left bottom", (0, 20)),
        ("left", (0, 10)),
        ("left top", (0, 0)),
        ("entropy", (50, 10)),
    ],
)
def test_position(position: str, place: Size) -> None:
    assert offset(position, 100, 20) == place
