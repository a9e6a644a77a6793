import { t } from '@lingui/core/macro'
import { CircleAlert, Info, LoaderCircle } from 'lucide-react'
import type { ReportedNotice } from './approval-notices'

const ICONS = { info: Info, confirm: CircleAlert, wait: LoaderCircle } as const
const STYLES = {
  info: 'text-muted',
  confirm: 'text-warn',
  wait: 'text-muted [&_svg]:animate-[spin_900ms_linear_infinite]',
} as const

/** The notices at Approve, one per line, with links to what they are about. */
export function NoticeList({ notices }: { notices: readonly ReportedNotice[] }) {
  return (
    <ul aria-label={t`Before you approve`} className="flex flex-col gap-1 text-sm max-md:gap-3">
      {compareUrgency(notices).map(({ id, text, level, show }) => {
        const Icon = ICONS[level]
        return (
          <li key={id} className={`flex items-start gap-1.5 ${STYLES[level]}`}>
            <Icon className="icon-small mt-[0.2em] shrink-0" />
            <span className="min-w-0 [overflow-wrap:anywhere]">{text}</span>
            {show && (
              <button
                type="button"
                onClick={show}
                aria-label={t`View: ${text}`}
                className="-my-1 pointer-coarse:-me-3 pointer-coarse:-my-3 shrink-0 rounded px-1 py-1 font-medium text-accent hover:underline pointer-coarse:ms-auto pointer-coarse:flex pointer-coarse:min-h-11 pointer-coarse:items-start pointer-coarse:px-3 pointer-coarse:py-3"
              >
                {t({ message: 'View', context: 'verb, button' })}
              </button>
            )}
          </li>
        )
      })}
    </ul>
  )
}

const ORDER = { wait: 0, confirm: 1, info: 2 } as const

const compareUrgency = (notices: readonly ReportedNotice[]): ReportedNotice[] =>
  notices.toSorted((a, b) => ORDER[a.level] - ORDER[b.level])
