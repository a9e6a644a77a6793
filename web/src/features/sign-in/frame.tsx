import { t } from '@lingui/core/macro'
import { type ReactNode, useEffect } from 'react'
import { BASE_PATH } from '@/api/client'
import { LanguageChooser } from '@/components/language-chooser'

/** The layout of all pages before sign-in: a single column. */
export function Frame({
  title,
  lead,
  children,
  foot,
}: {
  title: string
  lead?: ReactNode
  children?: ReactNode
  foot?: ReactNode
}) {
  useEffect(() => {
    document.title = t`${{ page: title }} · Signoff`
  }, [title])
  return (
    <main className="flex min-h-dvh flex-col items-center px-4 pt-[min(14dvh,8rem)] pb-6 max-sm:pt-10">
      <div className="w-full max-w-88">
        <p className="mb-8 flex items-center gap-2 font-semibold text-lg">
          <img src={`${BASE_PATH}icon.svg`} alt="" width={24} height={24} />
          Signoff
        </p>
        <h1 className="font-semibold text-xl">{title}</h1>
        {lead !== undefined && <div className="mt-1 text-muted">{lead}</div>}
        <div className="mt-6 flex flex-col gap-4">{children}</div>
        {foot !== undefined && <div className="mt-6 border-line border-t pt-4 text-sm">{foot}</div>}
      </div>
      <div className="mt-auto pt-8">
        <LanguageChooser />
      </div>
    </main>
  )
}
