import type { Slot } from '../slots'
import type { Geometry } from './time-plot'

export type Stack = readonly { value: number; color: string }[]

/** The smallest height, so that any non-zero value is visible. */
const MIN_HEIGHT = 2
const MAX_WIDTH = 40

/** One stacked column for each step. Incomplete steps are paler. */
export function Columns({
  stacks,
  slots,
  geometry,
}: {
  stacks: readonly Stack[]
  slots: readonly Slot[]
  geometry: Geometry
}) {
  const { middle, band, y, foot } = geometry
  const width = Math.max(1, Math.min(MAX_WIDTH, band < 6 ? band - 1 : band * 0.72))
  return stacks.map((stack, place) => {
    const slot = slots[place]
    let top = foot
    return (
      <g key={slot?.start.getTime()} opacity={slot?.state === 'part' ? 0.6 : 1}>
        {stack.map(({ value, color }) => {
          if (value === 0) return null
          const height = Math.max(MIN_HEIGHT, foot - y(value))
          top -= height
          return (
            <rect
              key={color}
              x={middle(place) - width / 2}
              y={top}
              width={width}
              // A hairline separates the parts, so that they are distinct without color too.
              height={Math.max(1, height - 1)}
              fill={color}
            />
          )
        })}
      </g>
    )
  })
}
