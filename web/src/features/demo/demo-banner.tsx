import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type Demo, useRemoveDemo } from '@/api/demo'
import { useMe } from '@/api/session'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { FormFault } from '@/components/form-fault'
import { Notice } from '@/components/status'

/** Says, calmly and on one line, that all of this is made up, and leads the owner out of it. */
export default function DemoBanner({ demo }: { demo: Demo }) {
  const isOwner = useMe().role === 'owner'
  const [isRemoving, setRemoving] = useState(false)
  useReadAnewOnceFilled(demo)
  return (
    <aside
      aria-label="Demo"
      className="flex min-h-9 shrink-0 items-center gap-x-3 border-line border-b bg-accent-soft px-4 text-sm max-md:min-h-11"
    >
      {demo.state === 'filling' ? (
        <p role="status" className="py-1">
          Setting up the demo. Reviews, chats, and images show up here in a moment.
        </p>
      ) : (
        <>
          <p className="min-w-0 flex-1 py-1">
            <strong className="font-semibold">Demo workspace.</strong>{' '}
            <span className="max-sm:hidden">
              The agents are simulated. Decide a review to see how they react.
            </span>
          </p>
          {isOwner && (
            <button
              type="button"
              onClick={() => setRemoving(true)}
              className="shrink-0 rounded text-accent underline-offset-2 hover:underline max-md:min-h-11"
            >
              Remove demo…
            </button>
          )}
        </>
      )}
      {isRemoving && <Removing own={demo.own} onClose={() => setRemoving(false)} />}
    </aside>
  )
}

function Removing({ own, onClose }: { own: Demo['own']; onClose: () => void }) {
  const removal = useRemoveDemo()
  // The page is loaded anew when it is done: until then nothing may be begun again.
  const isBusy = removal.isPending || removal.isSuccess
  const edited = own?.editedReviewTypes ?? 0
  return (
    <Dialog
      open
      onClose={onClose}
      firm={isBusy}
      title="Remove the demo?"
      description="You can't undo this."
      actions={
        <>
          <Button onClick={onClose} disabled={isBusy} data-first-focus>
            Cancel
          </Button>
          <Button kind="bad" busy={isBusy} onClick={() => removal.mutate()}>
            Remove demo
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <FormFault error={removal.error} />
        {edited > 0 && (
          <Notice tone="warn">
            {edited === 1
              ? 'You changed 1 demo review type. It is deleted too. To keep it, duplicate or export it first.'
              : `You changed ${edited} demo review types. They are deleted too. To keep them, duplicate or export them first.`}
          </Notice>
        )}
        <section aria-label="Deleted">
          <h3 className="font-medium">Deleted</h3>
          <ul className="list-disc pl-5 text-muted">
            <li>The demo's agents, review types, group, and colleagues</li>
            <li>All reviews of demo review types, even those you requested or decided</li>
            <li>Chats with the demo's agents, and the files of all of these</li>
          </ul>
        </section>
        <section aria-label="Kept">
          <h3 className="font-medium">Kept</h3>
          <ul className="list-disc pl-5 text-muted">
            {kept(own).map(line => (
              <li key={line}>{line}</li>
            ))}
            <li>Saved views, groups, chat apps, API keys, and settings you created</li>
            <li>You and the members you invited</li>
          </ul>
        </section>
      </div>
    </Dialog>
  )
}

/** A review type that somebody made for an agent of the demo keeps that agent. */
function kept(own: Demo['own']): string[] {
  const agents = own?.agents ?? 0
  const types = own?.reviewTypes ?? 0
  return [
    ...(agents > 0
      ? [agents === 1 ? '1 agent you created or use' : `${agents} agents you created or use`]
      : []),
    ...(types > 0
      ? [
          types === 1
            ? '1 review type you created, with its reviews'
            : `${types} review types you created, with their reviews`,
        ]
      : []),
  ]
}

/** What was read while the workspace was still empty is out of date at once. */
function useReadAnewOnceFilled({ state }: Demo) {
  const client = useQueryClient()
  const before = useRef(state)
  useEffect(() => {
    if (before.current === 'filling' && state === 'ready') void client.invalidateQueries()
    before.current = state
  }, [client, state])
}
