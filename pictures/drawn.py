"""Product photographs that nobody has to be asked for: drawn as SVG, then made into files as a camera would."""

import pyvips

BACKGROUNDS = ("#e8e2d6", "#d9e2e8", "#e3dbe6", "#dfe6d8")
GLAZES = ("#b5533c", "#2f6f73", "#c9a227", "#5b4b8a", "#3d5a3d", "#a63d57")


def mug(number: int, *, scene: int = 0) -> bytes:
    """A mug; its colour follows the number, its surroundings the scene. A PNG."""
    glaze, background = GLAZES[number % len(GLAZES)], BACKGROUNDS[scene % len(BACKGROUNDS)]
    tilt = (-2, 0, 2, 1)[scene % 4]
    svg = f"""
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 600" width="800" height="600">
      <defs>
        <linearGradient id="wall" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stop-color="{background}"/><stop offset="1" stop-color="#ffffff"/>
        </linearGradient>
        <linearGradient id="clay" x1="0" y1="0" x2="1" y2="0">
          <stop offset="0" stop-color="#fff" stop-opacity=".3"/><stop offset=".35" stop-color="#fff" stop-opacity="0"/>
          <stop offset="1" stop-color="#20201e" stop-opacity=".6"/>
        </linearGradient>
      </defs>
      <rect width="800" height="600" fill="{glaze}"/><rect width="800" height="600" fill="url(#wall)"/>
      <rect y="430" width="800" height="170" fill="#cdbfa9"/>
      <ellipse cx="420" cy="478" rx="190" ry="26" fill="#000" opacity=".18"/>
      <g transform="rotate({tilt} 400 330)">
        <path d="M 520 240 C 665 222, 660 408, 510 398" fill="none" stroke="{glaze}" stroke-width="34"/>
        <path d="M 255 180 L 275 440 Q 400 492 525 440 L 545 180 Z" fill="{glaze}"/>
        <path d="M 255 180 L 275 440 Q 400 492 525 440 L 545 180 Z" fill="url(#clay)"/>
        <ellipse cx="400" cy="182" rx="146" ry="34" fill="#2a1b12"/>
        <ellipse cx="400" cy="176" rx="146" ry="34" fill="none" stroke="#fff" stroke-opacity=".55" stroke-width="8"/>
        <path d="M 262 300 Q 400 350 538 300" fill="none" stroke="#fff" stroke-opacity=".35" stroke-width="14"/>
      </g>
    </svg>"""
    image = pyvips.Image.svgload_buffer(svg.encode())
    return bytes(image.write_to_buffer(".png"))
