"""The results as a chart: both ratios at each size, with the lines they must stay above."""

from typing import Any

WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 720, 300, 56, 48, 40
TARGETS = {"requests": 0.6, "deliveries": 0.4}
NAMES = {"requests": "POST /requestReview ÷ bare insert", "deliveries": "deliveries ÷ client alone"}

STYLE = """
    text { font: 12px system-ui, sans-serif; fill: #1f2937 }
    .faint { fill: #6b7280 } .requests { fill: #2563eb } .deliveries { fill: #0d9488 }
    .axis { stroke: #d1d5db } .target { stroke-dasharray: 4 4; stroke-width: 1.5 }
    .target.requests { stroke: #2563eb } .target.deliveries { stroke: #0d9488 }
    @media (prefers-color-scheme: dark) {
        text { fill: #e5e7eb } .faint { fill: #9ca3af } .axis { stroke: #374151 }
    }
"""


def draw(report: dict[str, Any]) -> str:
    results = report["results"]
    highest = max(max(results[name]["ratio"] for results in results for name in TARGETS), 1.0)
    plot = HEIGHT - BOTTOM - TOP

    def y(ratio: float) -> float:
        return TOP + plot * (1 - ratio / highest)

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">']
    parts.append(f"<title>Ratios with more and more reviews stored</title><style>{STYLE}</style>")
    for tick in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0):
        parts.append(f'<line class="axis" x1="{LEFT}" x2="{WIDTH - 8}" y1="{y(tick):.1f}" y2="{y(tick):.1f}"/>')
        parts.append(f'<text class="faint" x="{LEFT - 8}" y="{y(tick) + 4:.1f}" text-anchor="end">{tick:.1f}</text>')
    step = (WIDTH - LEFT - 8) / len(results)
    for index, found in enumerate(results):
        centre = LEFT + step * (index + 0.5)
        for offset, name in ((-44, "requests"), (4, "deliveries")):
            ratio = found[name]["ratio"]
            parts.append(
                f'<rect class="{name}" x="{centre + offset:.1f}" y="{y(ratio):.1f}" width="40" '
                f'height="{HEIGHT - BOTTOM - y(ratio):.1f}" rx="2"/>'
                f'<text x="{centre + offset + 20:.1f}" y="{y(ratio) - 5:.1f}" text-anchor="middle">{ratio:.2f}</text>'
            )
        label = f"{found['stored']:,}".replace(",", "\u2009")
        parts.append(f'<text x="{centre:.1f}" y="{HEIGHT - 26}" text-anchor="middle">{label} stored</text>')
    for name, target in TARGETS.items():
        line = f'x1="{LEFT}" x2="{WIDTH - 8}" y1="{y(target):.1f}" y2="{y(target):.1f}"'
        parts.append(f'<line class="target {name}" {line}/>')
    for place, name in ((LEFT, "requests"), (LEFT + 270, "deliveries")):
        parts.append(f'<rect class="{name}" x="{place}" y="10" width="12" height="12" rx="2"/>')
        parts.append(f'<text x="{place + 18}" y="20">{NAMES[name]}</text>')
    parts.append("</svg>\n")
    return "\n".join(parts)
