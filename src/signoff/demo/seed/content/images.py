"""The demo's images: drawn as SVG and rendered to PNG, so that no one has to license them."""

from collections.abc import Callable
from typing import Any, Final

import pyvips

BACKGROUNDS: Final = ("#e8e2d6", "#d9e2e8", "#e3dbe6", "#dfe6d8")
GLAZES: Final = ("#b5533c", "#2f6f73", "#c9a227", "#5b4b8a", "#3d5a3d", "#a63d57")
_WALL: Final = """<linearGradient id="wall" x1="0" y1="0" x2="0" y2="1">
    <stop offset="0" stop-color="{background}"/><stop offset="1" stop-color="#ffffff"/></linearGradient>
    <linearGradient id="clay" x1="0" y1="0" x2="1" y2="0">
    <stop offset="0" stop-color="#fff" stop-opacity=".3"/><stop offset=".35" stop-color="#fff" stop-opacity="0"/>
    <stop offset="1" stop-color="#20201e" stop-opacity=".6"/></linearGradient>"""


def mug(number: int, *, scene: int = 0) -> bytes:
    """A mug as PNG. The number sets its color, the scene its surroundings."""
    return _table(_mug(GLAZES[number % len(GLAZES)], scene), GLAZES[number % len(GLAZES)], scene)


def _mug(glaze: str, scene: int) -> str:
    body = "M 255 180 L 275 440 Q 400 492 525 440 L 545 180 Z"
    return f"""
    <g transform="rotate({(-2, 0, 2, 1)[scene % 4]} 400 330)">
      <path d="M 520 240 C 665 222, 660 408, 510 398" fill="none" stroke="{glaze}" stroke-width="34"/>
      <path d="{body}" fill="{glaze}"/><path d="{body}" fill="url(#clay)"/>
      <ellipse cx="400" cy="182" rx="146" ry="34" fill="#2a1b12"/>
      <ellipse cx="400" cy="176" rx="146" ry="34" fill="none" stroke="#fff" stroke-opacity=".55" stroke-width="8"/>
      <path d="M 262 300 Q 400 350 538 300" fill="none" stroke="#fff" stroke-opacity=".35" stroke-width="14"/>
    </g>"""


def bowl() -> bytes:
    body = "M 190 300 Q 220 470 400 474 Q 580 470 610 300 Z"
    return _table(
        f"""<path d="{body}" fill="#2b3a63"/><path d="{body}" fill="url(#clay)"/>
        <ellipse cx="400" cy="300" rx="210" ry="46" fill="#1c2746"/>
        <ellipse cx="400" cy="296" rx="210" ry="46" fill="none" stroke="#fff" stroke-opacity=".5" stroke-width="7"/>""",
        "#2b3a63",
        1,
    )


def vase() -> bytes:
    body = "M 350 120 Q 372 200 300 290 Q 240 400 340 476 L 460 476 Q 560 400 500 290 Q 428 200 450 120 Z"
    return _table(
        f"""<path d="{body}" fill="#8a5a3c"/><path d="{body}" fill="url(#clay)"/>
        <ellipse cx="400" cy="120" rx="50" ry="12" fill="#2a1b12"/>
        <path d="M 400 118 C 390 40, 350 30, 330 20 M 402 118 C 420 60, 450 40, 480 34" fill="none" stroke="#4b6a3a"
            stroke-width="8"/>
        <circle cx="330" cy="20" r="16" fill="#d9a0a8"/><circle cx="482" cy="34" r="18" fill="#e6c35c"/>""",
        "#8a5a3c",
        0,
    )


def _table(thing: str, tint: str, scene: int) -> bytes:
    return _png(
        f"""<defs>{_WALL.format(background=BACKGROUNDS[scene % len(BACKGROUNDS)])}</defs>
        <rect width="800" height="600" fill="{tint}"/><rect width="800" height="600" fill="url(#wall)"/>
        <rect y="430" width="800" height="170" fill="#cdbfa9"/>
        <ellipse cx="420" cy="478" rx="190" ry="26" fill="#000" opacity=".18"/>{thing}"""
    )


def receipt(number: int) -> bytes:
    """Bars instead of words, so that no font is needed."""
    lines = "".join(
        f'<rect x="80" y="{190 + 44 * each}" width="{150 + (each * 67 + number * 41) % 120}" height="14" '
        f'fill="#8a8a86"/>'
        f'<rect x="{400 + (each * 13) % 20}" y="{190 + 44 * each}" width="58" height="14" fill="#55554f"/>'
        for each in range(4 + number)
    )
    end = 200 + 44 * (4 + number)
    teeth = "".join(f"L {490 - 20 * each} {end + 170 + 16 * (each % 2)} " for each in range(23))
    return _png(
        f"""<rect width="540" height="720" fill="{BACKGROUNDS[number % 4]}"/>
        <path d="M 50 40 L 490 40 L 490 {end + 170} {teeth} L 50 {end + 170} Z" fill="#fdfdfa"/>
        <circle cx="270" cy="96" r="30" fill="{GLAZES[number % 6]}"/>
        <rect x="170" y="142" width="200" height="16" fill="#55554f"/>
        {lines}<rect x="80" y="{end + 20}" width="378" height="4" fill="#55554f"/>
        <rect x="80" y="{end + 46}" width="120" height="24" fill="#33332f"/>
        <rect x="370" y="{end + 46}" width="88" height="24" fill="#33332f"/>""",
        540,
        720,
    )


def chart() -> bytes:
    """The kiln's load by week."""
    full = (0.9, 0.75, 0.35, 0.8, 0.3, 0.55)
    bars = "".join(
        f'<rect x="{110 + 105 * week}" y="{480 - 380 * part:.0f}" width="70" height="{380 * part:.0f}" rx="6" '
        f'fill="{GLAZES[1] if part < 0.5 else GLAZES[0]}"/>'
        for week, part in enumerate(full)
    )
    grid = "".join(f'<rect x="90" y="{100 + 95 * line}" width="650" height="2" fill="#d8d4ca"/>' for line in range(5))
    return _png(f'<rect width="800" height="600" fill="#faf8f3"/>{grid}{bars}')


def before_and_after() -> bytes:
    """The old blue and the new one."""
    half = '<g transform="translate({x} 150) scale(.5)">{thing}</g>'
    return _png(
        f"""<defs>{_WALL.format(background="#e8e2d6")}</defs>
        <rect width="400" height="600" fill="#e9ecef"/><rect x="400" width="400" height="600" fill="#f3efe6"/>
        <rect y="390" width="800" height="210" fill="#cdbfa9"/>
        {half.format(x=0, thing=_mug("#4a6fa5", 1))}{half.format(x=400, thing=_mug("#1f4e8c", 1))}
        <rect x="397" width="6" height="600" fill="#fff"/>"""
    )


def workshop() -> bytes:
    """Shelves, a window, a wheel, and the manager asleep."""
    pots = "".join(
        f'<rect x="{80 + 74 * place}" y="{132 + 120 * shelf - 30 * ((place + shelf) % 2)}" width="46" '
        f'height="{48 + 30 * ((place + shelf) % 2)}" rx="10" fill="{GLAZES[(place * 2 + shelf) % 6]}"/>'
        for shelf in range(2)
        for place in range(5)
    )
    return _png(
        f"""<rect width="800" height="600" fill="#e6dccb"/><rect y="440" width="800" height="160" fill="#b89c7a"/>
        <rect x="520" y="70" width="210" height="230" fill="#bfe0ee"/>
        <rect x="620" y="70" width="8" height="230" fill="#fff"/>
        <rect x="520" y="180" width="210" height="8" fill="#fff"/>
        <rect x="60" y="180" width="400" height="14" fill="#7a5b3e"/>
        <rect x="60" y="300" width="400" height="14" fill="#7a5b3e"/>{pots}
        <rect x="545" y="440" width="30" height="100" fill="#55524e"/>
        <ellipse cx="560" cy="430" rx="120" ry="26" fill="#6d6a66"/>
        <path d="M 505 420 Q 560 330 615 420 Z" fill="#b5533c"/>
        <ellipse cx="210" cy="500" rx="90" ry="42" fill="#3a3632"/><circle cx="290" cy="484" r="30" fill="#3a3632"/>
        <path d="M 268 462 L 274 434 L 288 456 Z M 296 456 L 312 434 L 314 464 Z" fill="#3a3632"/>"""
    )


def _png(drawing: str, width: int = 800, height: int = 600) -> bytes:
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{drawing}</svg>'.encode()
    image: Any = pyvips.Image.svgload_buffer(svg)
    # With a palette, drawings become small files.
    return bytes(image.write_to_buffer(".png", palette=True, compression=6))


PICTURES: Final[dict[str, Callable[[], bytes]]] = {
    **{f"mug-{number}": lambda number=number: mug(number, scene=number) for number in range(len(GLAZES))},
    **{f"receipt-{number}": lambda number=number: receipt(number) for number in (1, 2, 3)},
    "bowl": bowl,
    "vase": vase,
    "chart": chart,
    "before-after": before_and_after,
    "workshop": workshop,
}
"""Images by the name that stands for them in the data of a case."""
