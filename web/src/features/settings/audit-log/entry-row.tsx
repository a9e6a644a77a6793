import { msg, t } from '@lingui/core/macro'
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Entry } from '@/api/settings/audit-log'
import { IconButton } from '@/components/button'
import { RelativeTime } from '@/components/relative-time'
import { classes } from '@/lib/classes'
import { i18n } from '@/lib/i18n'
import { formatDateTime } from '@/lib/time'
import { CodeBox } from '../code-box'
import type { SettingsSearch } from '../search-params'
import { getActionLabel } from './actions'

const KINDS = {
  user: null,
  key: msg`API key`,
  external: msg`External reviewer`,
  system: msg({ message: 'System', context: 'actor in the audit log' }),
} as const

type Props = {
  entry: Entry
  open: boolean
  onToggle: () => void
  onFilter: (part: SettingsSearch) => void
}

export function EntryRow({ entry, open, onToggle, onFilter }: Props) {
  const cell = open ? 'border-b-0' : ''
  const action = getActionLabel(entry.action)
  const kind = KINDS[entry.actor.kind]
  return (
    <>
      <tr className="hover:bg-sunken">
        <td className={cell}>
          <IconButton
            label={t`Details: ${action} by ${{ name: entry.actor.name }}`}
            aria-expanded={open}
            size="small"
            icon={
              <ChevronRight className={classes('transition-transform', open && 'rotate-90 rtl:-rotate-90')} />
            }
            onClick={onToggle}
            className=""
          />
        </td>
        <td className={cell}>
          <span className="font-medium">{action}</span>
          <p dir="auto" className="text-muted text-sm [overflow-wrap:anywhere] md:hidden">
            {entry.actor.name}
          </p>
        </td>
        <td className={classes(cell, '[overflow-wrap:anywhere] max-md:hidden')}>
          <bdi>{entry.actor.name}</bdi>
          {kind && <span className="text-muted text-sm"> {i18n._(kind)}</span>}
        </td>
        <td className={classes(cell, 'max-lg:hidden')}>
          <code className="font-mono text-muted text-xs">{entry.objectId}</code>
        </td>
        <td className={classes(cell, 'whitespace-nowrap text-end text-muted')}>
          <RelativeTime at={entry.at} />
        </td>
      </tr>
      {open && (
        <tr>
          <td colSpan={5} className="pt-0 pb-4 ps-8 max-md:ps-0">
            <dl className="grid grid-cols-[auto_1fr] gap-x-5 gap-y-1 text-sm">
              <Fact label={t`Time`}>{formatDateTime(entry.at)}</Fact>
              <Fact label={t`Actor`}>
                <Narrow onClick={() => onFilter({ actor: entry.actor.id, kind: undefined })}>
                  {entry.actor.id}
                </Narrow>
              </Fact>
              <Fact label={t`Object`}>
                <Narrow onClick={() => onFilter({ object: entry.objectId })}>{entry.objectId}</Narrow>
              </Fact>
              {entry.ip && <Fact label={t`IP address`}>{entry.ip}</Fact>}
              {entry.requestId && (
                <Fact label={t`Request ID`}>
                  <code className="font-mono text-xs [overflow-wrap:anywhere]">{entry.requestId}</code>
                </Fact>
              )}
            </dl>
            {entry.details && (
              <CodeBox
                label={t`Details (JSON)`}
                text={JSON.stringify(entry.details, null, 2)}
                className="mt-3"
              />
            )}
          </td>
        </tr>
      )}
    </>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="contents">
      <dt className="text-muted">{label}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  )
}

/** An ID that filters the log when clicked. */
function Narrow({ onClick, children }: { onClick: () => void; children: string }) {
  return (
    <button
      type="button"
      onClick={onClick}
      title={t`Filter by this ID`}
      className="text-start font-mono text-accent text-xs underline-offset-2 [overflow-wrap:anywhere] hover:underline pointer-coarse:min-h-8"
    >
      {children}
    </button>
  )
}
