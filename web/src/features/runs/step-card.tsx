import { Link } from '@tanstack/react-router'
import { TimerOff, Zap } from 'lucide-react'
import { type Step, standingOf } from '@/api/runs'
import { STANDING } from '@/components/standing'
import { Time } from '@/components/time'
import { classes } from '@/lib/classes'
import { span } from '@/lib/time'
import type { Placed } from './layout'

export const titleOf = (step: Step): string => step.title || step.formName

/** One step: what it is, who decided what, and how long it took. */
export function StepCard({
  placed,
  following,
  className,
}: {
  placed: Placed<Step>
  /** Titles of what came before it. */
  following: readonly string[]
  className?: string
}) {
  const { step, missing } = placed
  const look = STANDING[standingOf(step)]
  const title = titleOf(step)
  return (
    <Link
      to="/reviews/$reviewId"
      params={{ reviewId: step.reviewId }}
      search={{}}
      className={classes(
        'flex min-w-0 flex-col justify-center rounded-lg border border-line border-l-3 bg-surface px-3 py-2 hover:bg-sunken',
        look.edge,
        className,
      )}
    >
      <span dir="auto" className="truncate font-medium" title={title}>
        {title}
      </span>
      <span className="truncate text-muted text-sm">
        {step.title ? `${step.formName} · ` : ''}
        {step.agentName}
      </span>
      <span className={classes('flex min-w-0 items-center gap-1.5 text-sm', look.colour)}>
        <span aria-hidden="true" className="shrink-0">
          {look.icon}
        </span>
        <span className="truncate">
          {look.word}
          <HowLong step={step} />
        </span>
      </span>
      <Who step={step} />
      {missing > 0 && (
        <span className="truncate text-muted text-xs">
          After {missing === 1 ? 'a step that is' : `${missing} steps that are`} not here
        </span>
      )}
      {following.length > 0 && <span className="sr-only">After {following.join(', ')}.</span>}
    </Link>
  )
}

function HowLong({ step }: { step: Step }) {
  if (step.state === 'pending')
    return (
      <span className="text-muted">
        {' '}
        since <Time at={step.createdAt} />
      </span>
    )
  // Nobody had to wait for what is submitted or approved as it comes.
  if (step.kind === 'trigger' || step.autoApproved || step.waitedMs === undefined) return null
  return <span className="text-muted"> after {span(step.waitedMs / 1000)}</span>
}

function Who({ step }: { step: Step }) {
  if (step.state === 'pending') return null
  return (
    <span className="flex min-w-0 items-center gap-1.5 text-muted text-sm">
      {step.autoApproved && <Zap size={12} className="shrink-0" aria-hidden="true" />}
      {step.timedOut && <TimerOff size={12} className="shrink-0" aria-hidden="true" />}
      <span className="truncate">
        {step.autoApproved
          ? 'Automatically'
          : step.timedOut
            ? 'As time ran out'
            : `By ${step.respondingUser}`}
      </span>
    </span>
  )
}
