import type { DeliveryRow } from '@/api/settings/deliveries'
import { Badge } from '@/components/status'
import { Time } from '@/components/time'
import { classes } from '@/lib/classes'
import { CELL, HEAD, TABLE, TableFrame } from '../table'
import { hostOf, STATUSES, TARGETS } from './words'

type Props = {
  rows: readonly DeliveryRow[]
  agentNames: ReadonlyMap<string, string>
  /** Null: nothing can be chosen. */
  chosen: ReadonlySet<string> | null
  onChoose: (chosen: ReadonlySet<string>) => void
  onOpen: (deliveryId: string) => void
}

export function DeliveryTable({ rows, agentNames, chosen, onChoose, onOpen }: Props) {
  const all = chosen !== null && rows.every(row => chosen.has(row.deliveryId))
  const some = chosen !== null && rows.some(row => chosen.has(row.deliveryId))
  const toggle = (deliveryId: string) => {
    const next = new Set(chosen)
    if (!next.delete(deliveryId)) next.add(deliveryId)
    onChoose(next)
  }
  return (
    <TableFrame label="Deliveries">
      <table className={TABLE}>
        <thead>
          <tr>
            {chosen && (
              <th scope="col" className={classes(HEAD, 'w-8')}>
                <Tick
                  label="Select all that are shown"
                  checked={all}
                  mixed={some && !all}
                  onChange={() => onChoose(new Set(all ? [] : rows.map(row => row.deliveryId)))}
                />
              </th>
            )}
            <th scope="col" className={classes(HEAD, 'max-md:hidden')}>
              Status
            </th>
            <th scope="col" className={HEAD}>
              Event
            </th>
            <th scope="col" className={classes(HEAD, 'max-md:hidden')}>
              To
            </th>
            <th scope="col" className={classes(HEAD, 'text-right max-lg:hidden')}>
              Attempts
            </th>
            <th scope="col" className={classes(HEAD, 'text-right')}>
              When
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr
              key={row.deliveryId}
              className={classes('hover:bg-sunken', chosen?.has(row.deliveryId) && 'bg-selected')}
            >
              {chosen && (
                <td className={CELL}>
                  <Tick
                    label={`Select the delivery of ${row.event} to ${hostOf(row.webhook)}`}
                    checked={chosen.has(row.deliveryId)}
                    onChange={() => toggle(row.deliveryId)}
                  />
                </td>
              )}
              <td className={classes(CELL, 'whitespace-nowrap max-md:hidden')}>
                <Status row={row} />
              </td>
              <td className={CELL}>
                <button
                  type="button"
                  onClick={() => onOpen(row.deliveryId)}
                  className="text-left font-medium hover:underline max-md:py-1"
                >
                  {row.event}
                </button>
                <p className="mb-0.5 md:hidden">
                  <Status row={row} />
                </p>
                <p className="text-muted text-sm [overflow-wrap:anywhere]">
                  {[row.formName, agentNames.get(row.agentId)].filter(Boolean).join(' · ')}
                  <span className="md:hidden">
                    {' '}
                    · {TARGETS[row.target]} · {hostOf(row.webhook)}
                  </span>
                </p>
              </td>
              <td className={classes(CELL, 'max-md:hidden')}>
                <p className="text-sm">{TARGETS[row.target]}</p>
                <p className="max-w-56 truncate font-mono text-muted text-xs" title={row.webhook}>
                  {hostOf(row.webhook)}
                </p>
              </td>
              <td className={classes(CELL, 'whitespace-nowrap text-right text-muted max-lg:hidden')}>
                {row.attemptCount} of {row.maxAttempts}
              </td>
              <td className={classes(CELL, 'whitespace-nowrap text-right text-muted')}>
                <span className="max-md:hidden">
                  <Time at={row.triggeredAt} />
                </span>
                <span className="md:hidden">
                  <Time at={row.triggeredAt} short />
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  )
}

const Status = ({ row }: { row: DeliveryRow }) => (
  <Badge tone={STATUSES[row.status].tone}>{statusWords(row)}</Badge>
)

function statusWords(row: DeliveryRow): string {
  const { label } = STATUSES[row.status]
  if (row.retriesCancelled) return 'Stopped'
  if (row.statusCode && row.status !== 'pending') return `${label} ${row.statusCode}`
  return label
}

function Tick({
  label,
  checked,
  mixed = false,
  onChange,
}: {
  label: string
  checked: boolean
  mixed?: boolean
  onChange: () => void
}) {
  return (
    <label className="flex items-center max-md:min-h-11 max-md:min-w-8">
      <input
        type="checkbox"
        aria-label={label}
        checked={checked}
        ref={box => {
          if (box) box.indeterminate = mixed
        }}
        onChange={onChange}
        className="size-4 accent-accent-solid"
      />
    </label>
  )
}
