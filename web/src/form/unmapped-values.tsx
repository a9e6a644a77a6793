import { plural, t } from '@lingui/core/macro'
import { ChevronRight } from 'lucide-react'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '@/components/button'
import { useApprovalNotice } from './approval-notices'
import { LongValue } from './editors/long-value'
import type { Json, UnmappedValue } from './types'
import { formatCount, formatUnmappedPath, formatUnmappedValue } from './unmapped'

const PAGE_SIZE = 50
const MAX_LENGTH = 2_000

const getNotShownText = (count: number): string =>
  t`${plural(count, { one: '# value', other: '# values' })} not shown in any field`

const showMore = (count: number): string => t`${plural(count, { one: 'Show # more', other: 'Show # more' })}`

/** Values from the agent that no field shows, collapsed below the fields. */
export function UnmappedValues({ unmapped }: { unmapped: readonly UnmappedValue[] }) {
  const [isOpen, setOpen] = useState(false)
  const [most, setMost] = useState(PAGE_SIZE)
  const section = useRef<HTMLDetailsElement>(null)
  const shown = unmapped.slice(0, most)
  const left = unmapped.length - shown.length
  useApprovalNotice(
    unmapped.length === 0
      ? null
      : {
          level: 'info',
          text: getNotShownText(unmapped.length),
          show: () => {
            // The content has to be rendered before it can be scrolled to.
            flushSync(() => setOpen(true))
            section.current?.querySelector('summary')?.focus({ preventScroll: true })
            section.current?.scrollIntoView({ block: 'start' })
          },
        },
  )
  if (unmapped.length === 0) return null
  return (
    <details
      ref={section}
      open={isOpen}
      onToggle={event => setOpen(event.currentTarget.open)}
      className="group/sent mt-6 scroll-my-4 rounded-lg border border-line bg-surface"
    >
      <summary className="flex cursor-pointer list-none items-center gap-2 rounded-lg px-3 py-2 text-sm pointer-coarse:min-h-11 [&::-webkit-details-marker]:hidden">
        <ChevronRight className="shrink-0 text-muted transition-transform group-open/sent:rotate-90 rtl:group-open/sent:-rotate-90" />
        <span className="font-medium">{t`Also sent`}</span>
        <span className="text-muted">{formatCount(unmapped.length)}</span>
      </summary>
      {isOpen && (
        <div className="flex flex-col gap-3 border-line border-t px-3 py-3">
          <p className="text-muted text-sm">
            {t`No field shows these values. They're returned with your decision, unchanged.`}
          </p>
          <dl className="flex flex-col divide-y divide-line">
            {shown.map(({ path, value }) => (
              <div
                key={JSON.stringify(path)}
                className="grid grid-cols-[minmax(0,1fr)_minmax(0,2fr)] gap-x-4 gap-y-0.5 py-1.5 text-sm max-md:grid-cols-1"
              >
                <dt dir="auto" className="text-muted [overflow-wrap:anywhere]">
                  {formatUnmappedPath(path)}
                </dt>
                <dd className="min-w-0">
                  <Value value={value} />
                </dd>
              </div>
            ))}
          </dl>
          {left > 0 && (
            <Button size="small" className="self-start" onClick={() => setMost(most + PAGE_SIZE)}>
              {showMore(Math.min(left, PAGE_SIZE))}
            </Button>
          )}
        </div>
      )}
    </details>
  )
}

function Value({ value }: { value: Json }) {
  if (value === '') return <span className="text-muted italic">{t`Empty text`}</span>
  const look = typeof value === 'string' ? '' : 'font-mono text-[0.92em]'
  return (
    <LongValue text={formatUnmappedValue(value)} most={MAX_LENGTH}>
      {text => (
        <div
          dir="auto"
          className={`max-h-96 overflow-y-auto whitespace-pre-wrap [overflow-wrap:anywhere] ${look}`}
        >
          {text}
        </div>
      )}
    </LongValue>
  )
}
