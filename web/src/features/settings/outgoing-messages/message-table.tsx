import { t } from '@lingui/core/macro'
import type { OutgoingMessageRow } from '@/api/settings/outgoing-messages'
import { RelativeTime } from '@/components/relative-time'
import { Table } from '@/components/table'
import { classes } from '@/lib/classes'
import { formatNumber, i18n } from '@/lib/i18n'
import { CHANNELS, getContext, getDestination, StateBadge } from './labels'

type Props = {
  rows: readonly OutgoingMessageRow[]
  agentNames: ReadonlyMap<string, string>
  chosen: ReadonlySet<string>
  onChoose: (chosen: ReadonlySet<string>) => void
  onOpen: (messageId: string) => void
}

export function MessageTable({ rows, agentNames, chosen, onChoose, onOpen }: Props) {
  // A member who can't do anything with a message can't select it.
  const selectable = rows.filter(row => row.actions.length > 0)
  const all = selectable.every(row => chosen.has(row.messageId))
  const some = selectable.some(row => chosen.has(row.messageId))
  const toggle = (messageId: string) => {
    const next = new Set(chosen)
    if (!next.delete(messageId)) next.add(messageId)
    onChoose(next)
  }
  const tickAll = {
    label: t`Select`,
    className: 'w-8',
    head: (
      <Tick
        label={t`Select all shown`}
        checked={all}
        mixed={some && !all}
        onChange={() => onChoose(new Set(all ? [] : selectable.map(row => row.messageId)))}
      />
    ),
  }
  return (
    <Table
      label={t`Outgoing messages`}
      columns={[
        ...(selectable.length > 0 ? [tickAll] : []),
        { label: t({ message: 'Message', context: 'outgoing message' }) },
        { label: t`Destination`, className: 'max-md:hidden' },
        { label: t`Status`, className: 'max-md:hidden' },
        { label: t`Attempts`, className: 'text-end max-lg:hidden' },
        { label: t`Time`, className: 'text-end' },
      ]}
    >
      {rows.map(row => (
        <tr
          key={row.messageId}
          className={classes('hover:bg-sunken', chosen.has(row.messageId) && 'bg-selected')}
        >
          {selectable.length > 0 && (
            <td>
              {row.actions.length > 0 && (
                <Tick
                  label={t`Select ${{ message: row.subject.text }} to ${{ destination: getDestination(row) }}`}
                  checked={chosen.has(row.messageId)}
                  onChange={() => toggle(row.messageId)}
                />
              )}
            </td>
          )}
          <td>
            <Subject row={row} context={getContext(row, agentNames)} onOpen={() => onOpen(row.messageId)} />
          </td>
          <td className="max-md:hidden">
            <p className="max-w-56 truncate text-sm" title={row.destination} dir="auto">
              {getDestination(row)}
            </p>
          </td>
          <td className="whitespace-nowrap max-md:hidden">
            <StateBadge message={row} />
          </td>
          <td className="whitespace-nowrap text-end text-muted max-lg:hidden">
            {row.maxAttempts
              ? t`${{ count: formatNumber(row.attemptCount) }} of ${{ max: formatNumber(row.maxAttempts) }}`
              : formatNumber(row.attemptCount)}
          </td>
          <td className="whitespace-nowrap text-end text-muted">
            <span className="max-md:hidden">
              <RelativeTime at={row.createdAt} />
            </span>
            <span className="md:hidden">
              <RelativeTime at={row.createdAt} short />
            </span>
          </td>
        </tr>
      ))}
    </Table>
  )
}

function Subject({ row, context, onOpen }: { row: OutgoingMessageRow; context: string; onOpen: () => void }) {
  const { icon: Icon, label } = CHANNELS[row.channel]
  return (
    <div className="flex gap-2.5">
      <span className="mt-0.5 shrink-0 text-muted" title={i18n._(label)}>
        <Icon aria-label={i18n._(label)} />
      </span>
      <div className="min-w-0">
        <button
          type="button"
          onClick={onOpen}
          className="text-start font-medium [overflow-wrap:anywhere] hover:underline pointer-coarse:py-1"
        >
          {row.subject.text}
        </button>
        <p className="mb-0.5 flex flex-wrap items-center gap-x-2 text-sm md:hidden">
          <StateBadge message={row} />
          <span className="[overflow-wrap:anywhere]" dir="auto">
            {getDestination(row)}
          </span>
        </p>
        {context && (
          <p className="text-muted text-sm [overflow-wrap:anywhere]" dir="auto">
            {context}
          </p>
        )}
        {row.error && (
          <p
            className={classes(
              'line-clamp-1 max-w-96 text-sm [overflow-wrap:anywhere]',
              row.state === 'failed' && !row.canceled ? 'text-bad' : 'text-muted',
            )}
            dir="auto"
          >
            {row.error}
          </p>
        )}
      </div>
    </div>
  )
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
