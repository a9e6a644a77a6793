import { t } from '@lingui/core/macro'
import { CircleAlert, LoaderCircle } from 'lucide-react'
import type { ReactNode } from 'react'
import { classes } from '@/lib/classes'
import { Button } from './button'

const TONES = {
  plain: 'bg-sunken text-muted',
  accent: 'bg-accent-soft text-accent',
  good: 'bg-good-soft text-good',
  bad: 'bg-bad-soft text-bad',
  warn: 'bg-warn-soft text-warn',
} as const

export type Tone = keyof typeof TONES

export function Badge({
  tone = 'plain',
  children,
  className,
}: {
  tone?: Tone
  children: ReactNode
  className?: string
}) {
  return <span className={classes('badge', TONES[tone], className)}>{children}</span>
}

/** Appears only when the wait is long enough to be noticed. */
export function Spinner({ label = t`Loading…` }: { label?: string }) {
  return (
    <span role="status" className="inline-flex animate-[spin_900ms_linear_infinite] text-muted">
      <LoaderCircle />
      <span className="sr-only">{label}</span>
    </span>
  )
}

export function Notice({
  tone = 'plain',
  icon,
  children,
  actions,
}: {
  tone?: Tone
  icon?: ReactNode
  children: ReactNode
  actions?: ReactNode
}) {
  return (
    <div className={classes('flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg px-3 py-2', TONES[tone])}>
      {icon}
      <div className="min-w-0 flex-1 basis-60 text-ink">{children}</div>
      {actions}
    </div>
  )
}

/** An empty state: what would be here, and what to do about it. */
export function EmptyState({
  icon,
  title,
  as: Title = 'p',
  children,
  action,
}: {
  icon?: ReactNode
  title: string
  /** `h1` if the page has no other heading. */
  as?: 'p' | 'h1'
  children?: ReactNode
  action?: ReactNode
}) {
  return (
    <div className="flex flex-col items-center justify-center gap-2 px-6 py-16 text-center">
      {icon !== undefined && <span className="icon-large mb-1 text-muted">{icon}</span>}
      <Title className="font-medium">{title}</Title>
      {children !== undefined && <div className="max-w-sm text-muted">{children}</div>}
      {action !== undefined && <div className="mt-3">{action}</div>}
    </div>
  )
}

/** Something couldn't be loaded: says what, and offers to try again. */
export function ErrorState({
  error,
  title,
  onRetry,
}: {
  error: unknown
  /** What couldn't be loaded. */
  title: string
  onRetry?: () => void
}) {
  return (
    <EmptyState
      icon={<CircleAlert />}
      title={title}
      action={onRetry && <Button onClick={onRetry}>{t`Try again`}</Button>}
    >
      {error instanceof Error ? error.message : t`Something went wrong. Try again.`}
    </EmptyState>
  )
}
