import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Dialog } from '@/components/dialog'
import type { JsonObject } from '@/form'
import { EMPTY, type ReadableForm, readForm } from '../document/read'
import { dropDraft, keepSample, startWith } from '../editor/drafts'
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
  const [way, setWay] = useState<(typeof WAYS)[number]['id']>('template')
  const open = () => void navigate({ to: '/review-types/$formId', params: { formId: 'new' } })
  const begin = (form: ReadableForm, sample: JsonObject) => {
    startWith({ ...readForm(form), name: form.name || EMPTY.name }, { data: sample, isTyped: false })
    open()
  }
  const beginBlank = () => {
    dropDraft('new')
    keepSample('new', null)
    open()
  }
  return (
    <Dialog open onClose={onClose} width="large" title="New review type">
      <div className="flex flex-col gap-4">
        <Segments
          label="How to begin"
          options={WAYS}
          value={way}
          onChange={chosen => (chosen === 'blank' ? beginBlank() : setWay(chosen))}
        />
        {way === 'template' ? <Gallery onChoose={begin} /> : <FromSample onMade={begin} />}
      </div>
    </Dialog>
  )
}
