import type { ReactNode } from 'react'

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
        {about !== undefined && <p className="mt-0.5 text-muted text-sm">{about}</p>}
      </header>
      <main className="flex flex-1 flex-col">{children}</main>
    </div>
  )
}
