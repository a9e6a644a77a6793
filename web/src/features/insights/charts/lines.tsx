import { area, line } from 'd3-shape'

export type Dot = { x: number; y: number; low?: number } | null

/** A line with gaps for missing values, and a dot for a value without neighbors. */
export function Line({
  dots,
  color,
  dashed = false,
}: {
  dots: readonly Dot[]
  color: string
  dashed?: boolean
}) {
  const path = line<Dot>()
    .defined(dot => dot !== null)
    .x(dot => dot?.x ?? 0)
    .y(dot => dot?.y ?? 0)
  return (
    <>
      <path
        d={path([...dots]) ?? ''}
        fill="none"
        stroke={color}
        strokeWidth={2}
        strokeLinejoin="round"
        strokeLinecap="round"
        strokeDasharray={dashed ? '1 5' : undefined}
      />
      {dots.map((dot, place) =>
        dot !== null && !dots[place - 1] && !dots[place + 1] ? (
          <circle key={dot.x} cx={dot.x} cy={dot.y} r={3} fill={color} />
        ) : null,
      )}
    </>
  )
}

/** The area between two values, at each step that has both. */
export function Band({ dots, color }: { dots: readonly Dot[]; color: string }) {
  const path = area<Dot>()
    .defined(dot => dot !== null)
    .x(dot => dot?.x ?? 0)
    .y1(dot => dot?.y ?? 0)
    .y0(dot => dot?.low ?? 0)
  return (
    <>
      <path d={path([...dots]) ?? ''} fill={color} fillOpacity={0.22} />
      {dots.map((dot, place) =>
        dot !== null && !dots[place - 1] && !dots[place + 1] ? (
          <line
            key={dot.x}
            x1={dot.x}
            x2={dot.x}
            y1={dot.low}
            y2={dot.y}
            stroke={color}
            strokeOpacity={0.3}
            strokeWidth={6}
          />
        ) : null,
      )}
    </>
  )
}
