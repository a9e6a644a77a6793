import { useLayoutEffect, useSyncExternalStore } from 'react'
import type { SavedDraft } from '@/api/review'
import type { Content, Edit } from './edit'
import type { EditStore, SaveState } from './edit-store'

/**
 * The member's edits to a review, which start as soon as this content is loaded. Null until then. `draft` undefined:
 * not loaded yet; null: there is none.
 */
export function useEdit(
  store: EditStore,
  reviewId: string,
  content: Content | null,
  draft: SavedDraft | null | undefined,
): { edit: Edit | null; saveState: SaveState } {
  const edit = useSyncExternalStore(store.subscribe, () => store.edit(reviewId))
  const saveState = useSyncExternalStore(store.subscribe, () => store.saveState(reviewId))
  const isOpened = edit !== null
  useLayoutEffect(() => {
    if (content && (isOpened || draft !== undefined)) store.open(reviewId, content, draft ?? null)
  }, [store, reviewId, content, draft, isOpened])
  return { edit, saveState }
}

/** Saves edits when the member goes to another review. */
export function useSaveOnExit(store: EditStore, reviewId: string) {
  useLayoutEffect(() => () => void store.leave(reviewId), [store, reviewId])
}
