/** A page to try the form engine: `npx vite`, then `/dev/form.html`. It isn't part of the product. */

import { StrictMode, useMemo, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { Button } from '@/components/button'
import { TooltipProvider } from '@/components/tooltip'
import {
  checkValues,
  type FormDefinition,
  focusError,
  initialValues,
  ReviewForm,
  type Suggestion,
  submissionOf,
} from '@/form'
import { onKeyDown } from '@/lib/shortcuts'
import { drawn, form, hostile, media, suggestion } from './sample-form'
import '@/app/theme.css'

const PREFIX = 'form'
const WIDTHS = ['narrow', 'medium', 'wide', 'full'] as const

document.addEventListener('keydown', onKeyDown)

const asked = new URLSearchParams(location.search)

/** `?hostile` shows all hostile values, `?hostile=rows,summary` those of two fields. */
function hostileIn(names: string): Suggestion {
  const wanted = names === '' ? Object.keys(hostile.values) : names.split(',')
  const taken = Object.entries(hostile.values).filter(([id]) => wanted.includes(id))
  return { ...suggestion, values: { ...suggestion.values, ...Object.fromEntries(taken) } }
}

function Page() {
  const given = useMemo(() => (asked.has('hostile') ? hostileIn(asked.get('hostile') ?? '') : suggestion), [])
  const [values, setValues] = useState(() => initialValues(form, given))
  const [checking, setChecking] = useState(asked.has('errors'))
  const [readOnly, setReadOnly] = useState(asked.has('readOnly'))
  const [width, setWidth] = useState<FormDefinition['width']>('medium')
  const shown = useMemo(() => ({ ...form, width }), [width])
  const found = useMemo(media, [])
  const errors = useMemo(
    () => (checking ? checkValues(shown, given, values, 'approved') : []),
    [checking, shown, given, values],
  )
  return (
    <main className="mx-auto flex max-w-[80rem] flex-col gap-5 p-4">
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => setChecking(!checking)}>{checking ? 'Stop checking' : 'Check'}</Button>
        <Button onClick={() => setReadOnly(!readOnly)}>{readOnly ? 'Edit' : 'Read only'}</Button>
        <Button onClick={() => setWidth(WIDTHS[(WIDTHS.indexOf(width) + 1) % 4] ?? 'medium')}>
          Width: {width}
        </Button>
        <Button disabled={errors.length === 0} onClick={() => errors[0] && focusError(errors[0], PREFIX)}>
          First error
        </Button>
      </div>
      <ReviewForm
        form={shown}
        suggestion={given}
        values={values}
        errors={errors}
        idPrefix={PREFIX}
        readOnly={readOnly}
        media={found}
        onChange={(id, value) => setValues(before => ({ ...before, [id]: value }))}
        onRevert={id => setValues(before => ({ ...before, [id]: given.values[id] ?? null }))}
        uploads={async () => drawn(Math.random() * 360)}
      />
      <pre
        className="max-h-80 overflow-auto whitespace-pre-wrap rounded-md bg-sunken p-3 text-xs"
        data-submission
      >
        {JSON.stringify(submissionOf(shown, given, values), null, 2).slice(0, 5_000)}
      </pre>
    </main>
  )
}

const place = document.getElementById('app')
if (place) {
  createRoot(place).render(
    <StrictMode>
      <TooltipProvider>
        <Page />
      </TooltipProvider>
    </StrictMode>,
  )
}
