import { Check, CloudAlert } from 'lucide-react'
import type { SaveState } from './edit-store'

/** Whether what was typed is safe. */
export function DraftState({ state, onRetry }: { state: SaveState; onRetry: () => void }) {
  return (
    <span role="status" className="inline-flex items-center gap-1 text-muted text-sm">
      {(state === 'saving' || state === 'unsaved') && 'Saving…'}
      {state === 'saved' && (
        <>
          <Check size={13} aria-hidden="true" /> Saved
        </>
      )}
      {state === 'failed' && (
        <span className="inline-flex items-center gap-1 text-bad">
          <CloudAlert size={14} aria-hidden="true" /> Draft not saved
          <button type="button" onClick={onRetry} className="underline">
            Try now
          </button>
        </span>
      )}
    </span>
  )
}
