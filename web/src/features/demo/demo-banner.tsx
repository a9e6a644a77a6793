import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type Demo, useRemoveDemo } from '@/api/demo'
import { useMe } from '@/api/session'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { FormFault } from '@/components/form-fault'
import { Input, Labelled } from '@/components/input'
import { Notice } from '@/components/status'

/** Says, calmly and on one line, that all of this is made up, and leads the owner out of it. */
export default function DemoBanner({ demo }: { demo: Demo }) {
  const isOwner = useMe().role === 'owner'
  const [isLeaving, setLeaving] = useState(false)
  useReadAnewOnceFilled(demo)
  return (
    <aside
      aria-label="Demo"
      className="flex min-h-9 shrink-0 items-center gap-x-3 border-line border-b bg-accent-soft px-4 text-sm max-md:min-h-11"
    >
      {demo.state === 'filling' ? (
        <p role="status" className="py-1">
          A demo is being set up. Reviews, chats and pictures appear here in a moment.
        </p>
      ) : (
        <>
          <p className="min-w-0 flex-1 py-1">
            <strong className="font-semibold">Demo workspace.</strong>{' '}
            <span className="max-sm:hidden">
              A small program plays its agents: decide something, and see what it does.
            </span>
          </p>
          {isOwner && (
            <button
              type="button"
              onClick={() => setLeaving(true)}
              className="shrink-0 rounded text-accent underline-offset-2 hover:underline max-md:min-h-11"
            >
              Start empty…
            </button>
          )}
        </>
      )}
      {isLeaving && <Leaving own={demo.own} onClose={() => setLeaving(false)} />}
    </aside>
  )
}

function Leaving({ own, onClose }: { own: Demo['own']; onClose: () => void }) {
  const { account } = useMe()
  const removal = useRemoveDemo()
  const [typed, setTyped] = useState('')
  // The page is loaded anew when it is done: until then nothing may be begun again.
  const isBusy = removal.isPending || removal.isSuccess
  const ownWork = [counted(own?.agents, 'agent'), counted(own?.reviewTypes, 'review type')].filter(Boolean)
  const isMeant = ownWork.length === 0 || typed.trim() === account.name.trim()
  return (
    <Dialog
      open
      onClose={onClose}
      firm={isBusy}
      title="Start with an empty workspace?"
      description="The demo goes, with everything in this workspace: agents, review types, reviews, chats, pictures, groups, saved views and chat apps. This cannot be taken back."
      actions={
        <>
          <Button onClick={onClose} disabled={isBusy} data-first-focus={ownWork.length === 0 || undefined}>
            Cancel
          </Button>
          <Button kind="bad" busy={isBusy} disabled={!isMeant} onClick={() => removal.mutate()}>
            Remove it all
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <FormFault error={removal.error} />
        {ownWork.length > 0 && (
          <>
            <Notice tone="warn">
              {ownWork.join(' and ')} of your own {own && total(own) === 1 ? 'goes' : 'go'}, too, with every
              review. A review type can be exported in the editor first.
            </Notice>
            <Labelled label={`To go on, type the workspace's name: ${account.name}`}>
              {ties => <Input {...ties} value={typed} onChange={event => setTyped(event.target.value)} />}
            </Labelled>
          </>
        )}
        <p className="text-muted">You stay signed in. People you invited and your API keys stay, too.</p>
      </div>
    </Dialog>
  )
}

const total = (own: NonNullable<Demo['own']>) => own.agents + own.reviewTypes

const counted = (count: number | undefined, what: string) =>
  count ? `${count} ${what}${count === 1 ? '' : 's'}` : ''

/** What was read while the workspace was still empty is out of date at once. */
function useReadAnewOnceFilled({ state }: Demo) {
  const client = useQueryClient()
  const before = useRef(state)
  useEffect(() => {
    if (before.current === 'filling' && state === 'ready') void client.invalidateQueries()
    before.current = state
  }, [client, state])
}
