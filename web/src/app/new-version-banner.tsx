import { t } from '@lingui/core/macro'
import { Button } from '@/components/button'
import { reloadPage, useNewVersion } from '@/lib/new-version'

export function NewVersionBanner() {
  if (!useNewVersion()) return null
  return (
    <aside
      aria-label={t`New version`}
      className="flex min-h-10 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b bg-accent-soft px-4 py-1 text-sm"
    >
      <p role="status" className="min-w-0 flex-1">
        {t`A new version of Signoff is available. Reloading keeps your unsaved text.`}
      </p>
      <Button size="small" onClick={reloadPage}>
        {t`Reload`}
      </Button>
    </aside>
  )
}
