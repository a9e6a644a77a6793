import { t } from '@lingui/core/macro'
import { classes } from '@/lib/classes'
import { formatList, getDirection, i18n } from '@/lib/i18n'

export type Reading = { label: string; value: string; color?: string }

/** For screen readers. */
export const toSpokenText = (name: string, readings: readonly Reading[]): string =>
  t`${{ slot: name }}: ${{ values: formatList(readings.map(({ label, value }) => `${label} ${value}`)) }}`

/** The exact values under the cursor. They are read out by the control that moves the cursor. */
export function Readout({
  name,
  readings,
  note,
  x,
  y = 4,
  width,
}: {
  name: string
  readings: readonly Reading[]
  note?: string
  /** The position in the chart, and the chart's width. */
  x: number
  y?: number
  width: number
}) {
  const right = x > width / 2
  return (
    <div
      aria-hidden="true"
      dir={getDirection(i18n.locale)}
      style={{ top: y, ...(right ? { right: width - x + 14 } : { left: x + 14 }) }}
      className="pointer-events-none absolute z-10 max-w-64 rounded-md bg-raised px-2.5 py-1.5 text-sm shadow-float"
    >
      <p className="whitespace-nowrap font-medium">
        {name}
        {note !== undefined && <span className="font-normal text-muted"> {note}</span>}
      </p>
      <dl>
        {readings.map(({ label, value, color }) => (
          <div key={label} className="flex items-baseline justify-between gap-4">
            <dt className="text-muted">
              {color !== undefined && <Swatch color={color} />}
              {label}
            </dt>
            <dd className="whitespace-nowrap">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

type Marker = 'area' | 'line' | 'dots'

const MARKERS: Record<Marker, string> = {
  area: 'h-2.5 rounded-[2px]',
  line: 'border-t-2',
  dots: 'border-t-2 border-dotted',
}

function Swatch({ color, look = 'area' }: { color: string; look?: Marker }) {
  return (
    <span
      aria-hidden="true"
      style={look === 'area' ? { background: color } : { borderColor: color }}
      className={classes('me-1.5 inline-block w-2.5 align-middle', MARKERS[look])}
    />
  )
}

export function Legend({ items }: { items: readonly { label: string; color: string; look?: Marker }[] }) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-muted text-sm">
      {items.map(({ label, color, look }) => (
        <li key={label}>
          <Swatch color={color} look={look} />
          {label}
        </li>
      ))}
    </ul>
  )
}
