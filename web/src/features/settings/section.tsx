import type { ReactNode } from 'react'
import { classes } from '@/lib/classes'

/** A section of the settings: its name, description and actions. */
export function SectionFrame({
  title,
  about,
  actions,
  children,
}: {
  title: string
  about?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  return (
    <>
      <header className="mb-6 flex flex-wrap items-start gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-72">
          <h1 className="font-semibold text-xl">{title}</h1>
          {about !== undefined && <p className="mt-0.5 max-w-prose text-muted">{about}</p>}
        </div>
        {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
      </header>
      <div className="flex flex-col gap-8">{children}</div>
    </>
  )
}

/** A part of a section with its own heading. */
export function Part({
  title,
  about,
  actions,
  children,
  className,
}: {
  title: string
  about?: ReactNode
  actions?: ReactNode
  children: ReactNode
  className?: string
}) {
  return (
    <section className={classes('border-line border-t pt-5 first:border-t-0 first:pt-0', className)}>
      <div className="mb-4 flex flex-wrap items-start gap-x-6 gap-y-2">
        <div className="min-w-0 flex-1 basis-60">
          <h2 className="font-semibold">{title}</h2>
          {about !== undefined && <p className="max-w-prose text-muted text-sm">{about}</p>}
        </div>
        {actions}
      </div>
      {children}
    </section>
  )
}
