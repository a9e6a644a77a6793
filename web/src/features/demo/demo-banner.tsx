import { plural, t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type Demo, useRemoveDemo } from '@/api/demo'
import { useMe } from '@/api/session'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { FormError } from '@/components/form-error'
import { Notice } from '@/components/status'

/** A banner that says this is a demo, with a button that removes it for the owner. */
export default function DemoBanner({ demo }: { demo: Demo }) {
  const isOwner = useMe().role === 'owner'
  const [isRemoving, setRemoving] = useState(false)
  useRefetchOnceFilled(demo)
  return (
    <aside
      aria-label={t`Demo`}
      className="flex min-h-9 shrink-0 items-center gap-x-3 border-line border-b bg-accent-soft px-4 text-sm pointer-coarse:min-h-11"
    >
      {demo.state === 'filling' ? (
        <p role="status" className="py-1">
          {t`Setting up the demo. Reviews, chats, and images will show up here in a moment.`}
        </p>
      ) : (
        <>
          <p className="min-w-0 flex-1 py-1">
            <strong className="font-semibold">{t`Demo workspace.`}</strong>{' '}
            <span className="max-sm:hidden">
              {t`The agents are simulated. Decide a review to see how they react.`}
            </span>
          </p>
          {isOwner && (
            <button
              type="button"
              onClick={() => setRemoving(true)}
              className="shrink-0 rounded text-accent underline-offset-2 hover:underline pointer-coarse:min-h-11"
            >
              {t`Remove demo…`}
            </button>
          )}
        </>
      )}
      {isRemoving && <RemoveDialog own={demo.own} onClose={() => setRemoving(false)} />}
    </aside>
  )
}

function RemoveDialog({ own, onClose }: { own: Demo['own']; onClose: () => void }) {
  const removal = useRemoveDemo()
  // The page reloads when it's done. Until then it must not start again.
  const isBusy = removal.isPending || removal.isSuccess
  const edited = own?.editedReviewTypes ?? 0
  return (
    <Dialog
      open
      onClose={onClose}
      firm={isBusy}
      title={t`Remove the demo?`}
      description={t`You can't undo this.`}
      actions={
        <>
          <Button onClick={onClose} disabled={isBusy} data-first-focus>
            {t`Cancel`}
          </Button>
          <Button kind="bad" busy={isBusy} onClick={() => removal.mutate()}>
            {t`Remove demo`}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <FormError error={removal.error} />
        {edited > 0 && (
          <Notice tone="warn">
            {plural(edited, {
              one: `You changed # demo review type. It will be deleted too. To keep it, duplicate or export it first.`,
              other: `You changed # demo review types. They'll be deleted too. To keep them, duplicate or export them first.`,
            })}
          </Notice>
        )}
        <section aria-label={t`Deleted`}>
          <h3 className="font-medium">{t`Deleted`}</h3>
          <ul className="list-disc ps-5 text-muted">
            <li>{t`The demo's agents, review types, group, and colleagues`}</li>
            <li>{t`All reviews that use demo review types, including those you requested or decided`}</li>
            <li>{t`Chats with the demo's agents, except those that include a review you keep, and all files in the deleted reviews and chats`}</li>
          </ul>
        </section>
        <section aria-label={t`Kept`}>
          <h3 className="font-medium">{t`Kept`}</h3>
          <ul className="list-disc ps-5 text-muted">
            {getKeptItems(own).map(line => (
              <li key={line}>{line}</li>
            ))}
            <li>{t`Saved views, groups, chat apps, API keys, and settings you added or changed`}</li>
            <li>{t`You and the members you invited`}</li>
          </ul>
        </section>
      </div>
    </Dialog>
  )
}

/** A review type that a member created for a demo agent keeps that agent. */
function getKeptItems(own: Demo['own']): string[] {
  const agents = own?.agents ?? 0
  const types = own?.reviewTypes ?? 0
  return [
    ...(agents > 0
      ? [
          plural(agents, {
            one: '# agent you created or set up review types for',
            other: '# agents you created or set up review types for',
          }),
        ]
      : []),
    ...(types > 0
      ? [
          plural(types, {
            one: '# review type you created, with its reviews',
            other: '# review types you created, with their reviews',
          }),
        ]
      : []),
  ]
}

/** Refetches everything once the demo is set up, because data loaded before that is outdated. */
function useRefetchOnceFilled({ state }: Demo) {
  const client = useQueryClient()
  const before = useRef(state)
  useEffect(() => {
    if (before.current === 'filling' && state === 'ready') void client.invalidateQueries()
    before.current = state
  }, [client, state])
}
