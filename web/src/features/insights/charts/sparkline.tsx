import { area, line } from 'd3-shape'
import { classes } from '@/lib/classes'

type SparklineProps = {
  /** Null: there is no data for this step, and the line has a gap. */
  values: readonly (number | null)[]
  kind?: 'line' | 'columns'
  /** The value at the top; by default, the greatest value. */
  most?: number
  className?: string
}

const WIDTH = 100
const HEIGHT = 24

/** A trend at a glance, without a scale: the value is shown next to it. The scale starts at zero. */
export function Sparkline({ values, kind = 'line', most, className }: SparklineProps) {
  const top = most ?? Math.max(...values.map(value => value ?? 0))
  const y = (value: number) => (top > 0 ? HEIGHT - 1 - (value / top) * (HEIGHT - 3) : HEIGHT - 1)
  const step = WIDTH / Math.max(1, kind === 'line' ? values.length - 1 : values.length)
  const known = (value: number | null): value is number => value !== null
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className={classes('block overflow-visible', className)}
    >
      {kind === 'columns' ? (
        values.map((value, place) =>
          known(value) && value > 0 ? (
            <rect
              // A step has no other identity than its position.
              // biome-ignore lint/suspicious/noArrayIndexKey: see above.
              key={place}
              x={place * step + step * 0.1}
              width={step * 0.8}
              y={y(value)}
              height={HEIGHT - y(value)}
              fill="var(--automatic)"
            />
          ) : null,
        )
      ) : (
        <>
          <path
            d={
              area<number | null>()
                .defined(known)
                .x((_, place) => place * step)
                .y0(HEIGHT)
                .y1(value => y(value ?? 0))([...values]) ?? ''
            }
            fill="var(--approved)"
            fillOpacity={0.14}
          />
          <path
            d={
              line<number | null>()
                .defined(known)
                .x((_, place) => place * step)
                .y(value => y(value ?? 0))([...values]) ?? ''
            }
            fill="none"
            stroke="var(--approved)"
            strokeWidth={1.5}
            strokeLinejoin="round"
            // A value without neighbors is a dot.
            strokeLinecap="round"
            vectorEffect="non-scaling-stroke"
          />
        </>
      )}
    </svg>
  )
}
