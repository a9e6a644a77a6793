import { t } from '@lingui/core/macro'
import { Check } from 'lucide-react'
import { Button } from '@/components/button'

/** The Save button of a form, and whether there are unsaved changes. */
export function SaveRow({
  dirty,
  saving,
  saved,
  onForget,
  label = t`Save`,
}: {
  dirty: boolean
  saving: boolean
  /** The latest action was a successful save. */
  saved: boolean
  onForget?: () => void
  label?: string
}) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button type="submit" kind={dirty ? 'primary' : 'plain'} disabled={!dirty} busy={saving}>
        {label}
      </Button>
      {dirty && onForget && (
        <Button kind="quiet" onClick={onForget} disabled={saving}>
          {t`Discard changes`}
        </Button>
      )}
      <span role="status" className="flex items-center gap-1 text-muted text-sm">
        {saving && t`Saving…`}
        {!saving && dirty && t`Unsaved changes`}
        {!saving && !dirty && saved && (
          <>
            <Check className="icon-small text-good" /> {t`Saved`}
          </>
        )}
      </span>
    </div>
  )
}
