import { Check } from 'lucide-react'
import { Button } from '@/components/button'

/** Saves a form, and says how things stand with it. */
export function SaveRow({
  dirty,
  saving,
  saved,
  onForget,
  label = 'Save',
}: {
  dirty: boolean
  saving: boolean
  /** The latest thing that happened was a success. */
  saved: boolean
  onForget?: () => void
  label?: string
}) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button
        type="submit"
        kind={dirty ? 'primary' : 'plain'}
        disabled={!dirty}
        busy={saving}
        className="max-md:h-11"
      >
        {label}
      </Button>
      {dirty && onForget && (
        <Button kind="quiet" onClick={onForget} disabled={saving} className="max-md:h-11">
          Discard
        </Button>
      )}
      <span role="status" className="flex items-center gap-1 text-muted text-sm">
        {saving && 'Saving …'}
        {!saving && dirty && 'Not saved yet'}
        {!saving && !dirty && saved && (
          <>
            <Check size={14} aria-hidden="true" className="text-good" /> Saved
          </>
        )}
      </span>
    </div>
  )
}
