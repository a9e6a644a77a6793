import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { TimerOff, Zap } from 'lucide-react'
import { useFormName } from '@/api/forms/names'
import { getStepStatus, type Step } from '@/api/runs'
import { RelativeTime } from '@/components/relative-time'
import { STEP_STATUS_STYLES } from '@/components/step-status-styles'
import { classes } from '@/lib/classes'
import { formatList } from '@/lib/i18n'
import { formatSpan } from '@/lib/time'
import type { PlacedStep } from './layout'

/** Titles of steps, in the language of the page. */
export function useStepTitle(): (step: Step) => string {
  const nameOf = useFormName()
  return step => step.title || nameOf(step)
}

/** One step: its title, who decided what, and how long it took. */
export function StepCard({
  placed,
  following,
  className,
}: {
  placed: PlacedStep<Step>
  /** The titles of its predecessors. */
  following: readonly string[]
  className?: string
}) {
  const { step, missing } = placed
  const look = STEP_STATUS_STYLES[getStepStatus(step)]
  const nameOf = useFormName()
  const title = step.title || nameOf(step)
  return (
    <Link
      to="/reviews/$reviewId"
      params={{ reviewId: step.reviewId }}
      search={{}}
      className={classes(
        'flex min-w-0 flex-col justify-center rounded-lg border border-line border-s-3 bg-surface px-3 py-2 hover:bg-sunken',
        look.edge,
        className,
      )}
    >
      <span dir="auto" className="truncate font-medium" title={title}>
        {title}
      </span>
      <span className="truncate text-muted text-sm">
        {step.title ? `${nameOf(step)} · ` : ''}
        {step.agentName}
      </span>
      <span className={classes('flex min-w-0 items-center gap-1.5 text-sm', look.color)}>
        <span aria-hidden="true" className="shrink-0">
          {look.icon}
        </span>
        <span className="truncate">
          <StatusText step={step} />
        </span>
      </span>
      <Reviewer step={step} />
      {missing > 0 && (
        <span className="truncate text-muted text-xs">
          {plural(missing, {
            one: `Follows # step that isn't shown`,
            other: `Follows # steps that aren't shown`,
          })}
        </span>
      )}
      {following.length > 0 && (
        <span className="sr-only">{t`Follows ${{ titles: formatList(following) }}.`}</span>
      )}
    </Link>
  )
}

function StatusText({ step }: { step: Step }) {
  const standing = getStepStatus(step)
  if (standing === 'pending')
    return (
      <Trans>
        Pending
        <span className="text-muted">
          , requested <RelativeTime at={step.createdAt} />
        </span>
      </Trans>
    )
  if (standing === 'waiting')
    return (
      <Trans>
        Waiting on agent
        <span className="text-muted">
          , requested <RelativeTime at={step.createdAt} />
        </span>
      </Trans>
    )
  // Nobody had to wait for a submitted form or an auto-approved review.
  if (step.kind === 'trigger' || step.autoApproved || step.waitedMs === undefined)
    return STEP_STATUS_STYLES[standing].word
  const duration = formatSpan(step.waitedMs / 1000)
  if (standing === 'approved')
    return (
      <Trans>
        Approved<span className="text-muted"> after {duration}</span>
      </Trans>
    )
  if (standing === 'rejected')
    return (
      <Trans>
        Rejected<span className="text-muted"> after {duration}</span>
      </Trans>
    )
  return (
    <Trans>
      Submitted<span className="text-muted"> after {duration}</span>
    </Trans>
  )
}

function Reviewer({ step }: { step: Step }) {
  if (step.state === 'pending') return null
  const who = step.autoApproved
    ? t`Auto-approved`
    : step.timedOut
      ? t`Deadline passed`
      : step.respondingUser && t`By ${{ name: step.respondingUser }}`
  if (!who) return null
  return (
    <span className="flex min-w-0 items-center gap-1.5 text-muted text-sm">
      {step.autoApproved && <Zap className="icon-tiny shrink-0" />}
      {step.timedOut && <TimerOff className="icon-tiny shrink-0" />}
      <span className="truncate">{who}</span>
    </span>
  )
}
