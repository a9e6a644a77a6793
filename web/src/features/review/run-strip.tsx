import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useFormName } from '@/api/forms/names'
import { getStepStatus, runQuery, type Step } from '@/api/runs'
import { STEP_STATUS_STYLES } from '@/components/step-status-styles'
import { classes } from '@/lib/classes'
import { formatNumber } from '@/lib/i18n'

/** With more steps than this, only those around the review are shown. */
const MAX_SHOWN = 12

/** The steps of the review's run, with the review marked. Renders nothing if it's the only step. */
export function RunStrip({ runId, reviewId }: { runId: string; reviewId: string }) {
  const steps = useQuery(runQuery(runId)).data?.steps ?? []
  const place = steps.findIndex(step => step.reviewId === reviewId)
  if (steps.length < 2 || place < 0) return null
  const first = Math.max(0, Math.min(place - MAX_SHOWN / 2, steps.length - MAX_SHOWN))
  const shown = steps.slice(first, first + MAX_SHOWN)
  return (
    <nav aria-label={t`Run steps`} className="mt-1 flex min-w-0 items-center gap-2 text-sm">
      <ol className="flex min-w-0 items-center">
        {shown.map((step, index) => (
          <li key={step.reviewId} className="flex items-center">
            {index > 0 && <span aria-hidden="true" className="h-px w-2 bg-line-strong" />}
            <Mark step={step} number={first + index + 1} isHere={step.reviewId === reviewId} />
          </li>
        ))}
      </ol>
      <Link
        to="/runs/$runId"
        params={{ runId }}
        className="shrink-0 rounded text-muted underline-offset-2 hover:text-ink hover:underline pointer-coarse:py-2.5"
      >
        {t`Step ${{ position: formatNumber(place + 1) }} of ${{ total: formatNumber(steps.length) }}`}
      </Link>
    </nav>
  )
}

function Mark({ step, number, isHere }: { step: Step; number: number; isHere: boolean }) {
  const nameOf = useFormName()
  const { mark, word } = STEP_STATUS_STYLES[getStepStatus(step)]
  const name = t`Step ${{ position: formatNumber(number) }}: ${{ title: step.title || nameOf(step) }} (${{ status: word }})`
  return (
    <Link
      to="/reviews/$reviewId"
      params={{ reviewId: step.reviewId }}
      search={search => search}
      aria-label={name}
      title={name}
      className="grid h-6 place-items-center rounded px-0.5 pointer-coarse:min-h-11 pointer-coarse:px-1.5"
    >
      <span
        className={classes(
          'block size-2.5 rounded-full border-2',
          mark,
          isHere && 'outline-2 outline-accent outline-offset-1',
        )}
      />
    </Link>
  )
}
