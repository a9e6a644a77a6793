import type { ReactNode } from 'react'
import { LanguageChooser } from '@/components/language-chooser'

/** The plain page around a review for people without an account: nothing but the review. */
export function ExternalFrame({
  title,
  about,
  children,
}: {
  title: string
  about?: ReactNode
  children: ReactNode
}) {
  return (
    <div className="mx-auto flex min-h-dvh w-full max-w-5xl flex-col bg-canvas">
      <header className="border-line border-b px-4 py-4 md:px-6">
        <h1 dir="auto" className="break-words font-semibold text-xl">
          {title}
        </h1>
        <div className="mt-0.5 flex flex-wrap items-center justify-between gap-x-4 text-muted text-sm">
          {about !== undefined && <p>{about}</p>}
          <LanguageChooser />
        </div>
      </header>
      <main className="flex flex-1 flex-col">{children}</main>
    </div>
  )
}
