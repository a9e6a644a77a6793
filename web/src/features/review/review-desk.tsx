import { plural, t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { ApiError } from '@/api/client'
import { type Access, type Review, refetchReview, requestRetry, reviewKeys } from '@/api/review'
import { Button } from '@/components/button'
import { Notice } from '@/components/status'
import {
  ApprovalNotices,
  ApprovalNoticesContext,
  ApprovePanel,
  type FieldError,
  firstEditable,
  focusError,
  focusField,
  getFormErrorText,
  NoticeList,
  ReviewForm,
  useApprovalGate,
  useReportedNotices,
  WaitingPanel,
} from '@/form'
import { useDecisionLock } from '@/lib/decision-lock'
import { type Shortcut, useShortcuts } from '@/lib/shortcuts'
import { OldDraftBanner, ReplacedBanner, WaitingBanner } from './banners'
import { DecisionBar, DecisionButtons } from './decision-bar'
import { DraftState } from './draft-state'
import {
  buildSubmission,
  changeValue,
  type Edit,
  getEditedFields,
  getErrors,
  getShownErrors,
  revertAll,
  revertValue,
} from './edit'
import type { EditStore, SaveState } from './edit-store'
import { getMedia } from './media'
import { RejectPanel } from './reject-panel'
import { RetryActions } from './retry-actions'
import { RetryPanel } from './retry-panel'
import { useLatest } from './use-latest'

export type DecisionInput = {
  response: 'approved' | 'rejected' | null
  data: Record<string, unknown>
  reason?: string
  revision: number
}

type Decision = 'approved' | 'rejected'

type DeskProps = {
  review: Review
  edit: Edit
  store: EditStore
  saveState: SaveState
  access: Access
  /** Distinguishes the forms on a page. */
  idPrefix: string
  /** Called when the member has decided and the values are valid. */
  onDecide: (verdict: DecisionInput) => void
  uploads?: (file: File) => Promise<string>
  /** Retries copying a file. */
  retryMedia?: (url: string) => Promise<void>
  /** A decision is being sent. */
  busy?: boolean
  /** Shown above the form. */
  banners?: ReactNode
}

/** A pending review that the member can decide: its form and the decision bar. */
export function ReviewDesk({
  review,
  edit,
  store,
  saveState,
  access,
  idPrefix,
  onDecide,
  uploads,
  retryMedia,
  busy,
  banners,
}: DeskProps) {
  const { reviewId } = review
  const change = (step: (edit: Edit) => Edit) => store.change(reviewId, step)
  const [panel, setPanel] = useState<'reject' | 'retry' | null>(null)
  const [announced, announce] = useState('')
  const retry = useRetry(review, edit, access, () => {
    setPanel(null)
    change(now => ({ ...now, instructions: '' }))
  })
  const errors = useMemo(() => getShownErrors(edit), [edit])
  const edited = useMemo(() => getEditedFields(edit), [edit])
  const media = useMemo(() => getMedia(review), [review])

  const refuse = (found: readonly FieldError[]) => {
    const [first] = found
    if (!first) return
    const field = edit.form.fields.find(({ id }) => id === first.fieldId)?.label ?? ''
    const message = getFormErrorText(edit.form, first) ?? ''
    announce(t`${plural(found.length, { one: '# error.', other: '# errors.' })} ${field}: ${message}`)
    // Delayed, because the errors must be rendered before the first can be focused.
    setTimeout(() => focusError(first, idPrefix))
  }
  const [reported] = useState(() => new ApprovalNotices())
  const notices = useReportedNotices(reported)
  const subject = `${reviewId} ${edit.revision}`
  const isValid = (response: Decision): boolean => {
    const found = getErrors(edit, response)
    change(now => ({ ...now, attempted: { response } }))
    if (found.length === 0) return true
    setPanel(null)
    refuse(found)
    return false
  }
  const gate = useApprovalGate(notices, subject, (response: Decision) => {
    if (!isValid(response)) return
    announce('')
    onDecide({
      response: edit.trigger ? null : response,
      data: buildSubmission(edit),
      ...(response === 'rejected' && edit.reason.trim() && { reason: edit.reason.trim() }),
      revision: edit.revision,
    })
  })
  const decide = (response: Decision) => {
    if (busy || gate.waiting !== null) return
    // A missing value may still be uploading; otherwise errors come before confirmations.
    if (notices.some(({ level }) => level === 'wait') || isValid(response))
      gate.attempt(response, response === 'approved')
  }
  const openPanel = (which: 'reject' | 'retry') => {
    gate.cancel()
    setPanel(which)
  }
  const allowRetry = review.allowRetry === true && !review.retryRequested && !edit.trigger
  const content = useRef<HTMLDivElement>(null)
  const shown = useDecisionLock(subject, { content })
  // The target of the second click of a double click, such as the button of a panel that the first one opened.
  const place =
    gate.waiting ?? panel ?? (gate.isAsking ? JSON.stringify(notices.map(({ text }) => text)) : 'bar')
  const underPointer = useDecisionLock(`${subject} ${place}`, { content })
  /** Every way to decide goes through here. */
  const whenAllowed = (
    event: Pick<KeyboardEvent, 'timeStamp'> & { repeat?: boolean },
    lock: typeof shown,
    run: () => void,
  ) => {
    if (event.repeat) return
    if (lock.allows(event)) run()
    else announce(t`The page just changed. Check it and try again.`)
  }

  const act = useLatest((what: string, event: KeyboardEvent) => {
    if (what === 'submit') {
      if (panel === 'reject') whenAllowed(event, shown, () => decide('rejected'))
      else if (panel === 'retry') whenAllowed(event, shown, () => void retry.send())
      else if (gate.isAsking) whenAllowed(event, underPointer, gate.confirm)
      else whenAllowed(event, shown, () => decide('approved'))
    } else if (what === 'approve') {
      // The second step takes another key, so that pressing this one repeatedly never approves.
      if (!gate.isAsking) whenAllowed(event, shown, () => decide('approved'))
    } else if (what === 'reject') openPanel('reject')
    else if (what === 'retry') openPanel('retry')
    else if (what === 'edit') {
      const id = firstEditable(edit.form, edit.suggestion, edit.values, edit.trigger)
      if (id === null || !focusField(id, idPrefix)) announce(t`This review has no editable fields.`)
    }
  })
  useShortcuts(
    useMemo(() => {
      const group = t({ message: 'Review', context: 'noun' })
      const shortcut = (keys: string, label: string, what: string, more?: Partial<Shortcut>): Shortcut => ({
        keys,
        label,
        group,
        run: event => act(what, event),
        ...more,
      })
      return [
        shortcut('mod+Enter', edit.trigger ? t`Submit` : t`Approve, even while typing`, 'submit', {
          whileTyping: true,
        }),
        shortcut('a', edit.trigger ? t`Submit` : t`Approve`, 'approve'),
        ...(edit.trigger ? [] : [shortcut('r', t`Reject`, 'reject')]),
        ...(allowRetry ? [shortcut('t', t`Request changes`, 'retry')] : []),
        shortcut('e', t`Edit first field`, 'edit'),
      ]
    }, [act, edit.trigger, allowRetry]),
  )

  // Errors from the service are shown at their fields, and the first one gets focus.
  const sentBack = edit.serverErrors[0]
  useEffect(() => {
    if (sentBack) setTimeout(() => focusError(sentBack, idPrefix))
  }, [sentBack, idPrefix])

  const hasNotices = banners || edit.replaced || edit.oldDraft || review.retryRequested
  return (
    <ApprovalNoticesContext value={reported}>
      <div ref={content} className="flex-1 px-4 py-5 md:px-6">
        {hasNotices && (
          <div className="mb-5 flex flex-col gap-3">
            {banners}
            {review.retryRequested && (
              <WaitingBanner
                form={edit.form}
                {...review.retryRequested}
                actions={<RetryActions review={review} access={access} />}
              />
            )}
            <OldDraftBanner edit={edit} onDismiss={() => change(now => ({ ...now, oldDraft: null }))} />
            {edit.replaced && (
              <ReplacedBanner
                edit={edit}
                replaced={edit.replaced}
                onTakeAgents={id => change(now => withoutConflict(revertValue(now, id), id))}
                onDismiss={() => change(now => ({ ...now, replaced: null }))}
              />
            )}
          </div>
        )}
        <ReviewForm
          form={edit.form}
          suggestion={edit.suggestion}
          values={edit.values}
          errors={errors}
          onChange={(fieldId, value) => change(now => changeValue(now, fieldId, value))}
          onRevert={fieldId => change(now => revertValue(now, fieldId))}
          media={media}
          retryMedia={retryMedia}
          trigger={edit.trigger}
          idPrefix={idPrefix}
          {...(uploads && { uploads })}
        />
      </div>
      <div role="alert" className="sr-only">
        {announced}
      </div>
      <DecisionBar
        panel={
          gate.waiting !== null ? (
            <WaitingPanel
              decision={edit.trigger ? 'submitted' : gate.waiting}
              notices={notices}
              locked={underPointer.isLocked}
              onCancel={gate.cancel}
            />
          ) : panel === 'reject' ? (
            <RejectPanel
              reason={edit.reason}
              onReason={reason => change(now => ({ ...now, reason }))}
              onCancel={() => setPanel(null)}
              onReject={event => whenAllowed(event, underPointer, () => decide('rejected'))}
              busy={busy}
              locked={underPointer.isLocked}
            />
          ) : panel === 'retry' ? (
            <RetryPanel
              form={edit.form}
              suggestion={edit.suggestion}
              instructions={edit.instructions}
              onInstructions={instructions => change(now => ({ ...now, instructions }))}
              {...retry}
              onSend={event => whenAllowed(event, underPointer, () => void retry.send())}
              locked={underPointer.isLocked}
              onCancel={() => setPanel(null)}
            />
          ) : gate.isAsking ? (
            <ApprovePanel
              notices={notices}
              action={edit.trigger ? 'submit' : 'approve'}
              onCancel={gate.cancel}
              onConfirm={event => whenAllowed(event, underPointer, gate.confirm)}
              busy={busy}
              locked={underPointer.isLocked}
            />
          ) : undefined
        }
      >
        {notices.length > 0 && (
          <div className="mb-2">
            <NoticeList notices={notices} />
          </div>
        )}
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <DraftState
            state={saveState}
            error={store.saveError(reviewId)}
            onRetry={() => store.flush(reviewId)}
          />
          {edited.length > 0 && (
            <span className="inline-flex items-center gap-2 text-muted text-sm">
              <span>{t`${plural(edited.length, { one: '# field edited', other: '# fields edited' })}`}</span>
              <button
                type="button"
                onClick={() => change(revertAll)}
                className="inline-flex items-center gap-1 rounded hover:text-ink pointer-coarse:min-h-11"
              >
                <Undo2 className="icon-small" /> {t`Revert all`}
              </button>
            </span>
          )}
          {errors.length > 0 && edit.attempted && (
            <Button size="small" kind="quiet" className="text-bad" onClick={() => refuse(errors)}>
              {t`${plural(errors.length, { one: '# error', other: '# errors' })}`}
            </Button>
          )}
          <DecisionButtons
            trigger={edit.trigger}
            allowRetry={allowRetry}
            busy={busy}
            locked={underPointer.isLocked}
            onApprove={event => whenAllowed(event, underPointer, () => decide('approved'))}
            onReject={() => openPanel('reject')}
            onRetry={() => openPanel('retry')}
          />
        </div>
      </DecisionBar>
    </ApprovalNoticesContext>
  )
}

function withoutConflict(edit: Edit, fieldId: string): Edit {
  if (edit.replaced === null) return edit
  const without = (ids: readonly string[]) => ids.filter(id => id !== fieldId)
  return {
    ...edit,
    replaced: {
      ...edit.replaced,
      kept: without(edit.replaced.kept),
      conflicting: without(edit.replaced.conflicting),
    },
  }
}

/** Requests changes from the agent. The request is sent immediately, and the review stays open. */
function useRetry(review: Review, edit: Edit, access: Access, onSent: () => void) {
  const client = useQueryClient()
  const [fieldIds, onFieldIds] = useState<string[]>([])
  const [missing, setMissing] = useState(false)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const { reviewId } = review
  const send = async () => {
    const instructions = edit.instructions.trim()
    setMissing(!instructions)
    if (!instructions || busy) return
    setBusy(true)
    setError(null)
    try {
      const changed = await requestRetry(access, reviewId, {
        instructions,
        revision: edit.revision,
        ...(fieldIds.length > 0 && { fieldIds }),
      })
      client.setQueryData(reviewKeys.review(reviewId), changed)
      onSent()
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown
      setError(thrown.message)
    } finally {
      setBusy(false)
      void refetchReview(client, reviewId)
    }
  }
  return { fieldIds, onFieldIds, missing, busy, error, send }
}

/** Replaces the decision bar for members who can read the review but can't decide it. */
export function NoDecision({ children }: { children: ReactNode }) {
  return (
    <DecisionBar>
      <Notice>{children}</Notice>
    </DecisionBar>
  )
}
