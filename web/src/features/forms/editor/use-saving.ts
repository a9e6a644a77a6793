import { useState } from 'react'
import { ApiError } from '@/api/client'
import { useSaveForm } from '@/api/forms/mutations'
import { checkForm } from '@/api/forms/queries'
import type { Changes, Check, Form } from '@/api/forms/types'
import type { EditorDocument } from '../document/types'
import { writeForm } from '../document/write'
import type { Saved } from './editor-context'
import type { Checked } from './issues'

/**
 * The confirmation before the first version, and before one with breaking changes: what is published, over which
 * version.
 */
type PendingSave = { changes: Changes | null; document: EditorDocument; version: number }

export type Saving = {
  /** Checks first: shows errors, or asks for confirmation of breaking changes. */
  save: () => void
  isSaving: boolean
  error: Error | null
  pendingSave: PendingSave | null
  /** Confirms the pending question. */
  confirm: () => void
  cancel: () => void
  /** Someone saved another version in between. */
  conflict: ApiError | null
  /** Saves over someone else's version after confirmation, or saves the merged result. */
  saveOver: (document: EditorDocument, version: number) => Promise<void>
}

/**
 * Saving is safe when two people edit: the second save is rejected, shows the other changes, and lets its author
 * decide.
 */
export function useSaving(
  document: EditorDocument,
  saved: Saved | null,
  checked: Checked,
  onSaved: (form: Form, document: EditorDocument) => void,
  onErrors: () => void,
): Saving {
  const mutation = useSaveForm()
  const [pendingSave, setPendingSave] = useState<PendingSave | null>(null)
  const [conflict, setConflict] = useState<ApiError | null>(null)
  const [isCheckPending, setCheckPending] = useState(false)

  const send = (sent: EditorDocument, version: number) => {
    setPendingSave(null)
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
  const runCheck = async (sent: EditorDocument) => {
    setCheckPending(true)
    // Ignore any error here: publishing reports it better.
    const check = await checkForm(writeForm(sent), saved?.formId ?? null).catch(() => null)
    setCheckPending(false)
    return check
  }
  const confirmOrSend = (check: Check | null, sent: EditorDocument, version: number) => {
    const changes = check?.valid ? check.changes : null
    // If the changes are relative to another version than the one this is published over, they include someone else's.
    const isNoticed =
      changes !== null &&
      changes.fromVersion === version &&
      (changes.openReviews > 0 || changes.breaking.length > 0)
    if (saved !== null && !isNoticed) return send(sent, version)
    setConflict(null)
    setPendingSave({ changes, document: sent, version })
  }
  const save = async () => {
    if (checked.errors > 0 && !checked.isChecking) return onErrors()
    const check = await runCheck(document)
    if (check?.valid === false) onErrors()
    else confirmOrSend(check, document, saved?.version ?? 0)
  }
  const isConflict = mutation.error instanceof ApiError && mutation.error.code === 'version_conflict'
  return {
    save: () => void save(),
    isSaving: isCheckPending || mutation.isPending,
    error: isConflict ? null : mutation.error,
    pendingSave,
    confirm: () => pendingSave && send(pendingSave.document, pendingSave.version),
    cancel: () => {
      setPendingSave(null)
      setConflict(null)
    },
    conflict,
    saveOver: async (sent, version) => confirmOrSend(await runCheck(sent), sent, version),
  }
}
