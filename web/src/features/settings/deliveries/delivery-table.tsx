import { t } from '@lingui/core/macro'
import type { DeliveryRow } from '@/api/settings/deliveries'
import { RelativeTime } from '@/components/relative-time'
import { Badge } from '@/components/status'
import { classes } from '@/lib/classes'
import { formatNumber, i18n } from '@/lib/i18n'
import { CELL, HEAD, TABLE, TableFrame } from '../table'
import { getHost, getStatusLabel, STATUSES, TARGETS } from './labels'

type Props = {
  rows: readonly DeliveryRow[]
  agentNames: ReadonlyMap<string, string>
  /** Null: rows can't be selected. */
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
    <TableFrame label={t`Deliveries`}>
      <table className={TABLE}>
        <thead>
          <tr>
            {chosen && (
              <th scope="col" className={classes(HEAD, 'w-8')}>
                <Tick
                  label={t`Select all shown`}
                  checked={all}
                  mixed={some && !all}
                  onChange={() => onChoose(new Set(all ? [] : rows.map(row => row.deliveryId)))}
                />
              </th>
            )}
            <th scope="col" className={classes(HEAD, 'max-md:hidden')}>
              {t`Status`}
            </th>
            <th scope="col" className={HEAD}>
              {t`Event`}
            </th>
            <th scope="col" className={classes(HEAD, 'max-md:hidden')}>
              {t`Endpoint`}
            </th>
            <th scope="col" className={classes(HEAD, 'text-end max-lg:hidden')}>
              {t`Attempts`}
            </th>
            <th scope="col" className={classes(HEAD, 'text-end')}>
              {t`Time`}
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
                    label={t`Select ${{ event: row.event }} to ${{ host: getHost(row.webhook) }}`}
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
                  className="text-start font-medium hover:underline pointer-coarse:py-1"
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
                    · {i18n._(TARGETS[row.target])} · {getHost(row.webhook)}
                  </span>
                </p>
              </td>
              <td className={classes(CELL, 'max-md:hidden')}>
                <p className="text-sm">{i18n._(TARGETS[row.target])}</p>
                <p className="max-w-56 truncate font-mono text-muted text-xs" title={row.webhook}>
                  {getHost(row.webhook)}
                </p>
              </td>
              <td className={classes(CELL, 'whitespace-nowrap text-end text-muted max-lg:hidden')}>
                {t`${{ count: formatNumber(row.attemptCount) }} of ${{ max: formatNumber(row.maxAttempts) }}`}
              </td>
              <td className={classes(CELL, 'whitespace-nowrap text-end text-muted')}>
                <span className="max-md:hidden">
                  <RelativeTime at={row.triggeredAt} />
                </span>
                <span className="md:hidden">
                  <RelativeTime at={row.triggeredAt} short />
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
  <Badge tone={STATUSES[row.status].tone}>{getStatusText(row)}</Badge>
)

function getStatusText(row: DeliveryRow): string {
  const status = getStatusLabel(row)
  if (row.statusCode && row.status !== 'pending' && !row.retriesCancelled)
    return t`${status} (${{ code: row.statusCode }})`
  return status
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
    <label className="flex items-center pointer-coarse:min-h-11 pointer-coarse:min-w-8">
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
