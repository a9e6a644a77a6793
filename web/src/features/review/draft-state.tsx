import { t } from '@lingui/core/macro'
import { Check, CloudAlert } from 'lucide-react'
import type { ApiError } from '@/api/client'
import type { SaveState } from './edit-store'

/** Whether the draft is saved. */
export function DraftState({
  state,
  error,
  onRetry,
}: {
  state: SaveState
  error: ApiError | null
  onRetry: () => void
}) {
  return (
    <span role="status" className="inline-flex items-center gap-1 text-muted text-sm">
      {(state === 'saving' || state === 'unsaved') && t`Saving…`}
      {state === 'saved' && (
        <>
          <Check className="icon-small" /> {t`Saved`}
        </>
      )}
      {(state === 'failed' || state === 'refused') && (
        <span className="inline-flex flex-wrap items-center gap-x-1 text-bad">
          <CloudAlert className="icon-small" />
          {t`Couldn't save your draft.`}
          {state === 'refused' && (
            <span className="text-muted">
              {error?.message} {t`Your edits stay in this tab.`}
            </span>
          )}
          <button type="button" onClick={onRetry} className="underline pointer-coarse:min-h-11">
            {t`Try again`}
          </button>
        </span>
      )}
    </span>
  )
}
