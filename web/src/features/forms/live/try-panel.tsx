import { useState } from 'react'
import { useWidth } from '../editor/use-width'
import { AgentSends } from './agent-sends'
import { ComesBack } from './comes-back'
import { PreviewPane } from './preview-pane'
import { Segments } from './segments'
import { usePreview } from './use-preview'

const PANES = [
  { id: 'preview', label: 'Preview' },
  { id: 'sends', label: 'Agent sends' },
  { id: 'back', label: 'Comes back' },
] as const

/** Request, review and result beside each other; one at a time where there is no room. */
export default function TryPanel() {
  const preview = usePreview()
  const [ref, width] = useWidth<HTMLDivElement>()
  const [shown, setShown] = useState<(typeof PANES)[number]['id']>('preview')
  const isWide = width >= 960
  const shows = (id: string) => isWide || shown === id
  return (
    <div ref={ref} className="flex flex-col gap-4 p-4">
      {!isWide && <Segments label="What to see" options={PANES} value={shown} onChange={setShown} />}
      <div
        className={isWide ? 'grid grid-cols-[minmax(0,1fr)_minmax(0,1.25fr)_minmax(0,1fr)] gap-6' : 'min-w-0'}
      >
        {shows('sends') && <AgentSends />}
        {shows('preview') && <PreviewPane preview={preview} />}
        {shows('back') && <ComesBack preview={preview} />}
      </div>
    </div>
  )
}
