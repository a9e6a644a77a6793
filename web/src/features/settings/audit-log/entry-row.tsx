import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Entry } from '@/api/settings/audit-log'
import { IconButton } from '@/components/button'
import { Time } from '@/components/time'
import { classes } from '@/lib/classes'
import { moment } from '@/lib/time'
import { CodeBox } from '../json-text'
import type { SettingsSearch } from '../search-params'
import { CELL } from '../table'
import { actionWords } from './actions'

const KINDS = { user: '', key: 'API key', external: 'external reviewer', system: 'service' } as const

type Props = {
  entry: Entry
  open: boolean
  onToggle: () => void
  onFilter: (part: SettingsSearch) => void
}

export function EntryRow({ entry, open, onToggle, onFilter }: Props) {
  const cell = classes(CELL, open && 'border-b-0')
  return (
    <>
      <tr className="hover:bg-sunken">
        <td className={cell}>
          <IconButton
            label={`Details of ${actionWords(entry.action)} by ${entry.actor.name}`}
            aria-expanded={open}
            size="small"
            icon={<ChevronRight size={15} className={classes('transition-transform', open && 'rotate-90')} />}
            onClick={onToggle}
            className="max-md:h-11 max-md:w-11"
          />
        </td>
        <td className={cell}>
          <span className="font-medium">{actionWords(entry.action)}</span>
          <p className="text-muted text-sm [overflow-wrap:anywhere] md:hidden">{entry.actor.name}</p>
        </td>
        <td className={classes(cell, '[overflow-wrap:anywhere] max-md:hidden')}>
          {entry.actor.name}
          {KINDS[entry.actor.kind] && <span className="text-muted text-sm"> {KINDS[entry.actor.kind]}</span>}
        </td>
        <td className={classes(cell, 'max-lg:hidden')}>
          <code className="font-mono text-muted text-xs">{entry.objectId}</code>
        </td>
        <td className={classes(cell, 'whitespace-nowrap text-right text-muted')}>
          <Time at={entry.at} />
        </td>
      </tr>
      {open && (
        <tr>
          <td colSpan={5} className="border-line border-b pb-4 pl-8 max-md:pl-0">
            <dl className="grid grid-cols-[auto_1fr] gap-x-5 gap-y-1 text-sm">
              <Fact label="When">{moment(entry.at)}</Fact>
              <Fact label="Who">
                <Narrow onClick={() => onFilter({ actor: entry.actor.id, kind: undefined })}>
                  {entry.actor.id}
                </Narrow>
              </Fact>
              <Fact label="Object">
                <Narrow onClick={() => onFilter({ object: entry.objectId })}>{entry.objectId}</Narrow>
              </Fact>
              {entry.ip && <Fact label="Address">{entry.ip}</Fact>}
              {entry.requestId && (
                <Fact label="Request">
                  <code className="font-mono text-xs [overflow-wrap:anywhere]">{entry.requestId}</code>
                </Fact>
              )}
            </dl>
            {entry.details && (
              <CodeBox
                label="Details as JSON"
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

/** An ID that shows, when clicked, only what has to do with it. */
function Narrow({ onClick, children }: { onClick: () => void; children: string }) {
  return (
    <button
      type="button"
      onClick={onClick}
      title="Show only this one's entries"
      className="text-left font-mono text-accent text-xs underline-offset-2 [overflow-wrap:anywhere] hover:underline max-md:min-h-8"
    >
      {children}
    </button>
  )
}
