import { useState } from 'react'
import { ApiError } from '@/api/client'
import { useSaveForm } from '@/api/forms/mutations'
import { checkForm } from '@/api/forms/queries'
import type { Changes, Form } from '@/api/forms/types'
import type { EditorDocument } from '../document/types'
import { writeForm } from '../document/write'
import type { Saved } from './editor-context'

/** Asks before the first version, and before one that others will notice: what is published, over which version. */
type Asking = { changes: Changes | null; document: EditorDocument; version: number }

export type Saving = {
  /** Checks first what publishing would change for others, and asks if there is anything. */
  save: () => void
  isSaving: boolean
  error: Error | null
  asking: Asking | null
  /** What was asked about is meant. */
  confirm: () => void
  cancel: () => void
  /** Somebody saved another version meanwhile. */
  conflict: ApiError | null
  /** Saves over the version of somebody else, knowingly, or what was merged with it. */
  saveOver: (document: EditorDocument, version: number) => void
}

/** Saving is safe when two people edit: the second is refused, sees what the first did, and decides. */
export function useSaving(
  document: EditorDocument,
  saved: Saved | null,
  onSaved: (form: Form, document: EditorDocument) => void,
): Saving {
  const mutation = useSaveForm()
  const [asking, setAsking] = useState<Asking | null>(null)
  const [conflict, setConflict] = useState<ApiError | null>(null)
  const [isLooking, setLooking] = useState(false)

  const send = (sent: EditorDocument, version: number) => {
    setAsking(null)
    mutation.mutate(
      { form: writeForm(sent), formId: saved?.formId ?? null, version },
      {
        onSuccess: form => {
          setConflict(null)
          onSaved(form, sent)
        },
        onError: error => {
          if (error instanceof ApiError && error.code === 'version_conflict') setConflict(error)
        },
      },
    )
  }
  const lookAndSend = async (sent: EditorDocument, version: number) => {
    if (saved === null) return setAsking({ changes: null, document: sent, version })
    setLooking(true)
    // Whatever goes wrong here, saving itself says it better.
    const check = await checkForm(writeForm(sent), saved.formId).catch(() => null)
    setLooking(false)
    const changes = check?.valid ? check.changes : null
    // Against another version than the one this is saved over, the changes are somebody else's as well.
    if (
      changes &&
      changes.fromVersion === version &&
      (changes.openReviews > 0 || changes.breaking.length > 0)
    ) {
      setConflict(null)
      setAsking({ changes, document: sent, version })
    } else send(sent, version)
  }
  const isConflict = mutation.error instanceof ApiError && mutation.error.code === 'version_conflict'
  return {
    save: () => void lookAndSend(document, saved?.version ?? 0),
    isSaving: isLooking || mutation.isPending,
    error: isConflict ? null : mutation.error,
    asking,
    confirm: () => asking && send(asking.document, asking.version),
    cancel: () => {
      setAsking(null)
      setConflict(null)
    },
    conflict,
    saveOver: (sent, version) => void lookAndSend(sent, version),
  }
}
