import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { allAgentsQuery } from '@/api/settings/agents'
import { Button } from '@/components/button'
import { Confirm, Dialog } from '@/components/dialog'
import type { JsonObject } from '@/form'
import { defaultName, type ReadableForm, readForm } from '../document/read'
import { dropDraft, keepSample, readDraft, startWith } from '../editor/drafts'
import { onlyAgent } from '../editor/only-agent'
import { Segments } from '../live/segments'
import { FromSample } from './from-sample'
import { Gallery } from './gallery'

const WAYS = [
  { id: 'template', label: 'From a template' },
  { id: 'sample', label: 'From a sample' },
  { id: 'blank', label: 'Blank' },
] as const

/** How to begin: with a template, with what an agent would send, or with nothing. */
export function NewDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const agents = useQuery(allAgentsQuery).data
  const [way, setWay] = useState<(typeof WAYS)[number]['id']>('template')
  const [asked, setAsked] = useState<(() => void) | null>(null)
  const unsaved = readDraft('new')
  const begin = (prepare: () => void) => {
    const go = () => {
      prepare()
      void navigate({ to: '/review-types/$formId', params: { formId: 'new' } })
    }
    if (unsaved === null) go()
    else setAsked(() => go)
  }
  const beginWith = (form: ReadableForm, sample: JsonObject) =>
    begin(() =>
      startWith(
        { ...readForm(form), name: form.name || defaultName(), agentId: onlyAgent(agents) },
        { data: sample, isTyped: false },
      ),
    )
  const beginBlank = () =>
    begin(() => {
      dropDraft('new')
      keepSample('new', null)
    })
  return (
    <Dialog open onClose={onClose} width="large" title="New review type">
      <div className="flex flex-col gap-4">
        <Segments label="How to begin" options={WAYS} value={way} onChange={setWay} />
        {way === 'template' && <Gallery onChoose={beginWith} />}
        {way === 'sample' && <FromSample onMade={beginWith} />}
        {way === 'blank' && (
          <div className="flex flex-col items-start gap-3">
            <p className="text-muted">An empty canvas, and every type of field to put on it.</p>
            <Button kind="primary" onClick={beginBlank}>
              Begin with nothing
            </Button>
          </div>
        )}
      </div>
      <Confirm
        open={asked !== null}
        onClose={() => setAsked(null)}
        title="Throw away the one that is not saved?"
        confirm="Throw it away"
        onConfirm={() => asked?.()}
      >
        <p>
          {unsaved?.document.name ? <strong>{unsaved.document.name}</strong> : 'A review type without a name'}{' '}
          was begun in this tab and not saved yet. There is room for one only.
        </p>
      </Confirm>
    </Dialog>
  )
}
