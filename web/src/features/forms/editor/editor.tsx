import { t } from '@lingui/core/macro'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { CircleAlert, History } from 'lucide-react'
import { Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { isStatus } from '@/api/client'
import type { Form } from '@/api/forms/types'
import { Button } from '@/components/button'
import { FormError } from '@/components/form-error'
import { lazyPage } from '@/components/lazy'
import { Notice, Spinner } from '@/components/status'
import { formatNumber } from '@/lib/i18n'
import { useShortcuts } from '@/lib/shortcuts'
import { EMPTY, readForm } from '../document/read'
import type { EditorDocument } from '../document/types'
import { sameForm, writeForm } from '../document/write'
import { ConflictDialog } from './conflict-dialog'
import { DesignPanel } from './design-panel'
import { type Draft, deleteDraft, readSample, saveDraft, saveSample } from './drafts'
import { EditorContext, type EditorValue, type Saved, type Tab } from './editor-context'
import { LeaveDialog } from './leave-dialog'
import { PublishDialog } from './publish-dialog'
import { TopBar } from './top-bar'
import { useChecks } from './use-checks'
import { useDocument, useSample } from './use-document'
import { useSaving } from './use-saving'

const PANELS = {
  rules: lazyPage(() => import('../rules/rules-panel')),
  behavior: lazyPage(() => import('../panels/behavior-panel')),
  translations: lazyPage(() => import('../translations/translations-panel')),
  try: lazyPage(() => import('../live/try-panel')),
  versions: lazyPage(() => import('../panels/versions-panel')),
  code: lazyPage(() => import('../panels/code-panel')),
} as const

/** The starting point: the draft's own base if someone saved another version after the draft was stored. */
function getStart(form: Form | null, draft: Draft | null, blank: EditorDocument) {
  const base = draft?.base ?? form
  const saved: Saved | null = base && { formId: base.formId, version: base.version, document: readForm(base) }
  return { saved, base, blank, document: draft?.document ?? saved?.document ?? blank }
}

/** The editor of a review type. `blank` is the starting point of a new one. */
export function Editor({
  form,
  draft,
  blank = EMPTY,
}: {
  form: Form | null
  draft: Draft | null
  blank?: EditorDocument
}) {
  const [start] = useState(() => getStart(form, draft, blank))
  const [saved, setSaved] = useState<Saved | null>(start.saved)
  const base = useRef(start.base)
  const id = saved?.formId ?? 'new'
  const { document, apply, undo, redo, canUndo, canRedo } = useDocument(start.document)
  const [selection, select] = useState<string | null>(null)
  const [restored, setRestored] = useState<number | null>(null)
  const [wasRestored, setWasRestored] = useState(() => draft !== null && form !== null)
  const sample = useSample(id, document)
  const written = useMemo(() => writeForm(document), [document])
  const isDirty = useMemo(() => !sameForm(document, saved?.document ?? start.blank), [document, saved, start])
  // The errors are listed for this document; any change closes the list.
  const [listed, setListed] = useState<EditorDocument | null>(null)
  // A new review type that nobody has touched isn't worth checking until someone publishes it.
  const checked = useChecks(
    document,
    written,
    saved?.formId ?? null,
    isDirty || saved !== null || listed === document,
  )
  const { tab, language, show } = useTab()
  const navigate = useNavigate()
  // Set for the navigation from "new" to the ID: nothing is unsaved then.
  const justSaved = useRef(false)
  const latest = useRef(document)

  useEffect(() => {
    latest.current = document
    if (justSaved.current) return
    if (isDirty) saveDraft(id, { base: base.current, document })
    else deleteDraft(id)
  }, [id, isDirty, document])

  const onSaved = (answer: Form, sent: EditorDocument) => {
    const isNew = saved === null
    deleteDraft(id)
    setWasRestored(false)
    setRestored(null)
    if (isNew) {
      justSaved.current = true
      // Edits made while saving become a draft.
      if (!sameForm(latest.current, sent))
        saveDraft(answer.formId, { base: answer, document: latest.current })
      saveSample(answer.formId, readSample('new'))
      saveSample('new', null)
      setSaved({ formId: answer.formId, version: answer.version, document: sent })
      void navigate({
        to: '/review-types/$formId',
        params: { formId: answer.formId },
        search: { tab },
        replace: true,
        ignoreBlocker: true,
      })
      return
    }
    base.current = answer
    setSaved({ formId: answer.formId, version: answer.version, document: sent })
    if (sent !== document) apply(() => sent)
  }
  const saving = useSaving(document, saved, checked, onSaved, () => setListed(document))
  useEditorShortcuts({ undo, redo, save: saving.save })

  const value: EditorValue = {
    document,
    written,
    saved,
    apply,
    undo,
    redo,
    canUndo,
    canRedo,
    selection,
    select,
    checked,
    tab,
    language,
    show,
    sample,
    restore: (version, earlier) => {
      apply(() => earlier)
      select(null)
      setWasRestored(false)
      setRestored(version)
      show('design')
    },
  }
  const Panel = tab === 'design' ? null : PANELS[tab]
  const isBehind = form !== null && saved !== null && form.version > saved.version && !saving.isSaving
  return (
    <EditorContext value={value}>
      <TopBar
        isDirty={isDirty}
        isSaving={saving.isSaving}
        onSave={saving.save}
        listsIssues={listed === document}
        onListIssues={open => setListed(open ? document : null)}
      />
      <div className="flex flex-col gap-2 px-3 pt-2 empty:hidden">
        <SaveError error={saving.error} />
        {wasRestored && isDirty && (
          <Notice
            icon={<History />}
            actions={
              <Button
                size="small"
                onClick={() => {
                  apply(() => saved?.document ?? start.blank)
                  setWasRestored(false)
                }}
              >
                {t`Discard changes`}
              </Button>
            }
          >
            {t`We restored your unsaved changes. They stay in this tab until you publish them or close the tab.`}
          </Notice>
        )}
        {restored !== null && isDirty && saved && (
          <Notice
            icon={<History />}
            actions={
              <Button
                size="small"
                onClick={() => {
                  apply(() => saved.document)
                  setRestored(null)
                }}
              >
                {t`Go back to version ${{ version: formatNumber(saved.version) }}`}
              </Button>
            }
          >
            {t`You're viewing version ${{ restored: formatNumber(restored) }}. Nothing changes until you publish it as version ${{ next: formatNumber(saved.version + 1) }}.`}
          </Notice>
        )}
        {isBehind && (
          <Notice
            tone="warn"
            icon={<CircleAlert />}
            actions={
              !isDirty && (
                <Button
                  size="small"
                  onClick={() => {
                    const theirs = readForm(form)
                    base.current = form
                    setSaved({ formId: form.formId, version: form.version, document: theirs })
                    apply(() => theirs)
                  }}
                >
                  {t`Load latest version`}
                </Button>
              )
            }
          >
            {isDirty
              ? t`Someone published version ${{ version: formatNumber(form.version) }}. You can compare it with your changes when you publish.`
              : t`Someone published version ${{ version: formatNumber(form.version) }}.`}
          </Notice>
        )}
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">
        {Panel === null ? (
          <DesignPanel />
        ) : (
          <Suspense fallback={<Spinner />}>
            <Panel />
          </Suspense>
        )}
      </div>
      {saving.pendingSave && (
        <PublishDialog
          changes={saving.pendingSave.changes}
          busy={saving.isSaving}
          onConfirm={saving.confirm}
          onClose={saving.cancel}
        />
      )}
      {saving.conflict && saved && (
        <ConflictDialog
          formId={saved.formId}
          conflict={saving.conflict}
          base={saved.document}
          mine={document}
          busy={saving.isSaving}
          error={<SaveError error={saving.error} />}
          onSave={saving.saveOver}
          onTakeTheirs={theirs => {
            saving.cancel()
            if (form !== null) base.current = form
            setSaved({
              formId: saved.formId,
              version: Number(saving.conflict?.problem.currentVersion ?? saving.conflict?.problem.version),
              document: theirs,
            })
            apply(() => theirs)
          }}
          onClose={saving.cancel}
        />
      )}
      <LeaveDialog isDirty={isDirty} onDiscard={() => deleteDraft(id)} />
    </EditorContext>
  )
}

/** Errors of the definition are shown where they occur; this only says that there are some. */
function SaveError({ error }: { error: Error | null }) {
  if (!isStatus(error, 422)) return <FormError error={error} />
  return (
    <div role="alert">
      <Notice tone="bad" icon={<CircleAlert />}>
        {t`Couldn't publish. Fix the errors and try again.`}
      </Notice>
    </div>
  )
}

/** The current tab is in the URL, so that a reload shows it again. */
function useTab() {
  const { tab = 'design', language } = useSearch({ from: '/app/review-types/$formId' })
  const navigate = useNavigate({ from: '/review-types/$formId' })
  const show = useCallback(
    (next: Tab, nextLanguage?: string) =>
      void navigate({
        search: next === 'design' ? {} : { tab: next, ...(nextLanguage && { language: nextLanguage }) },
        replace: true,
      }),
    [navigate],
  )
  return { tab, language, show }
}

function useEditorShortcuts({ undo, redo, save }: { undo: () => void; redo: () => void; save: () => void }) {
  const latest = useRef(save)
  latest.current = save
  useShortcuts(
    useMemo(() => {
      const group = t`Review type editor`
      return [
        { keys: 'mod+z', label: t`Undo`, group, run: undo },
        { keys: ['mod+shift+z', 'mod+y'], label: t`Redo`, group, run: redo },
        { keys: 'mod+s', label: t`Publish`, group, whileTyping: true, run: () => latest.current() },
      ]
    }, [undo, redo]),
  )
}
