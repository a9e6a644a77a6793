import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { allAgentsQuery } from '@/api/settings/agents'
import { Button } from '@/components/button'
import { Confirm, Dialog } from '@/components/dialog'
import { Segments } from '@/components/segments'
import type { JsonObject } from '@/form'
import { defaultName, type ReadableForm, readForm } from '../document/read'
import { deleteDraft, readDraft, saveSample, storeNewDraft } from '../editor/drafts'
import { getOnlyAgent } from '../editor/only-agent'
import { FromSample } from './from-sample'
import { Gallery } from './gallery'

type Way = 'template' | 'sample' | 'blank'

/** Starts a review type from a template, from sample data, or blank. */
export function NewDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const agents = useQuery(allAgentsQuery).data
  const [way, setWay] = useState<Way>('template')
  const [confirmedAction, setConfirmedAction] = useState<(() => void) | null>(null)
  const unsaved = readDraft('new')
  const ways: { id: Way; label: string }[] = [
    { id: 'template', label: t`Template` },
    { id: 'sample', label: t`Sample data` },
    { id: 'blank', label: t({ message: 'Blank', comment: 'Start a review type without a template' }) },
  ]
  const begin = (prepare: () => void) => {
    const go = () => {
      prepare()
      void navigate({ to: '/review-types/$formId', params: { formId: 'new' } })
    }
    if (unsaved === null) go()
    else setConfirmedAction(() => go)
  }
  const beginWith = (form: ReadableForm, sample: JsonObject) =>
    begin(() =>
      storeNewDraft(
        { ...readForm(form), name: form.name || defaultName(), agentId: getOnlyAgent(agents) },
        { data: sample, isTyped: false },
      ),
    )
  const beginBlank = () =>
    begin(() => {
      deleteDraft('new')
      saveSample('new', null)
    })
  const unsavedName = <bdi className="font-semibold">{unsaved?.document.name || t`Untitled review type`}</bdi>
  return (
    <Dialog open onClose={onClose} width="large" title={t`New review type`}>
      <div className="flex flex-col gap-4">
        <Segments label={t`Start from`} options={ways} value={way} onChange={setWay} />
        {way === 'template' && <Gallery onChoose={beginWith} />}
        {way === 'sample' && <FromSample onMade={beginWith} />}
        {way === 'blank' && (
          <div className="flex flex-col items-start gap-3">
            <p className="text-muted">{t`Start with an empty canvas and add the fields you need.`}</p>
            <Button kind="primary" onClick={beginBlank}>
              {t`Start blank`}
            </Button>
          </div>
        )}
      </div>
      <Confirm
        open={confirmedAction !== null}
        onClose={() => setConfirmedAction(null)}
        title={t`Discard your draft?`}
        confirm={t`Discard draft`}
        onConfirm={() => confirmedAction?.()}
      >
        <p>
          <Trans>{unsavedName} isn't saved yet. You can only work on one new review type at a time.</Trans>
        </p>
      </Confirm>
    </Dialog>
  )
}
