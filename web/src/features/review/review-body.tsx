import { t } from '@lingui/core/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo } from 'react'
import {
  decide,
  dismiss,
  type PendingDecision,
  type RefusedDecision,
  undo,
  usePendingDecisions,
  useRefusedDecisions,
} from '@/api/decisions'
import { isDecidable, memberAccess, type Review, reviewKeys, reviewQueries } from '@/api/review'
import { useMay, useMe } from '@/api/session'
import { uploadFile } from '@/api/uploads'
import { ErrorState } from '@/components/status'
import {
  applySubmission,
  editedFields,
  type FormDefinition,
  getFieldErrors,
  getFormErrors,
  initialValues,
  type Json,
  ReviewForm,
  type Suggestion,
  type Values,
} from '@/form'
import { WhoMayDecide } from './assigned'
import { DecidedBanner, RefusedBanner, WaitingBanner } from './banners'
import { type Edit, getEditedFields, isPristine } from './edit'
import { memberEdits } from './edit-store'
import { getMedia, useRetryMedia } from './media'
import { PaneSkeleton } from './pane-states'
import { ResultSummary } from './result-summary'
import { type DecisionInput, NoDecision, ReviewDesk } from './review-desk'
import { useReviewTitle } from './review-header'
import { Scroller } from './scroller'
import { UndoBar } from './undo-bar'
import { useContent } from './use-content'
import { useEdit, useSaveOnExit } from './use-edit'
import { formatPath } from './value-text'

const PREFIX = 'review'

/** Everything below the header: the form in the state of the review, and its actions. */
export function ReviewBody({ review, onDecided }: { review: Review; onDecided: () => void }) {
  const { reviewId } = review
  const isOpen = isDecidable(review)
  const { definition, suggested, content, error, reread } = useContent(reviewQueries, review)
  const draft = useQuery({
    ...reviewQueries.draft(reviewId),
    enabled: isOpen && memberEdits.edit(reviewId) === null,
  })
  // If the draft can't be read, the review can still be decided.
  const readDraft = draft.isError ? null : draft.data
  const { edit, saveState } = useEdit(memberEdits, reviewId, isOpen ? content : null, readDraft)
  useSaveOnExit(memberEdits, reviewId)
  useStoredDrafts()
  const pending = usePendingDecisions().get(reviewId)
  const refused = useRefusedDecisions().get(reviewId)
  useServerErrors(refused, definition)
  const me = useMe().user.userId
  const title = useReviewTitle(review)
  const mayUpload = useMay('request')
  const retryMedia = useRetryMedia(reviewId)

  if (error && !(definition && suggested))
    return <ErrorState title={t`Couldn't load the review`} error={error} onRetry={reread} />
  if (!definition || !suggested || (isOpen && edit === null)) return <PaneSkeleton />

  if (review.state === 'responded')
    return (
      <Responded
        review={review}
        form={definition}
        suggestion={suggested}
        edit={edit}
        refused={refused}
        me={me}
      />
    )
  if (pending)
    return (
      <HeldDecision review={review} form={definition} suggestion={suggested} edit={edit} pending={pending} />
    )
  if (isOpen && edit) {
    const onDecide = (verdict: DecisionInput) => {
      decide({ reviewId, title, ...verdict })
      onDecided()
    }
    return (
      <Below>
        <ReviewDesk
          review={review}
          edit={edit}
          store={memberEdits}
          saveState={saveState}
          access={memberAccess}
          idPrefix={PREFIX}
          onDecide={onDecide}
          retryMedia={retryMedia}
          {...(mayUpload && { uploads: uploadFile })}
          banners={
            refused && (
              <RefusedBanner
                message={getRefusalText(refused, definition)}
                onDismiss={() => dismiss(reviewId)}
              />
            )
          }
        />
      </Below>
    )
  }
  return <ReadOnly review={review} form={definition} suggestion={suggested} />
}

function Below({ children }: { children: ReactNode }) {
  return (
    <Scroller label={t`Review content`} className="flex flex-col">
      {children}
    </Scroller>
  )
}

function getRefusalText({ error }: RefusedDecision, form: FormDefinition): string {
  if (error.code === 'content_replaced')
    return t`The agent sent a new revision before your decision arrived. Check the changes and decide again.`
  const beside = getFormErrors(form, error.errors).map(({ path, message }) => {
    const field = formatPath(path)
    return field ? t`${field}: ${message}` : message
  })
  return [error.message, ...beside].join('\n')
}

/** Shows the service's errors at the fields. */
function useServerErrors(refused: RefusedDecision | undefined, form: FormDefinition | undefined) {
  useEffect(() => {
    if (!refused || !form || refused.error.status !== 422) return
    const serverErrors = getFieldErrors(form, refused.error.errors)
    if (serverErrors.length === 0) return
    const { reviewId, response } = refused
    memberEdits.change(reviewId, edit => ({ ...edit, attempted: { response }, serverErrors }))
    if (getFormErrors(form, refused.error.errors).length === 0) dismiss(reviewId)
  }, [refused, form])
}

/** Adds stored drafts to the cache, so that reopening a review needs no request. */
function useStoredDrafts() {
  const client = useQueryClient()
  useEffect(() => {
    memberEdits.onStored = (reviewId, draft) => client.setQueryData(reviewKeys.draft(reviewId), draft)
  }, [client])
}

const nothing = () => {}

function ReadOnlyForm({
  review,
  form,
  suggestion,
  values,
}: {
  review: Review
  form: FormDefinition
  suggestion: Suggestion
  values: Values
}) {
  const media = useMemo(() => getMedia(review), [review])
  const retryMedia = useRetryMedia(review.reviewId)
  return (
    <ReviewForm
      form={form}
      suggestion={suggestion}
      values={values}
      onChange={nothing}
      onRevert={nothing}
      readOnly
      media={media}
      retryMedia={retryMedia}
      idPrefix={PREFIX}
    />
  )
}

type ReadOnlyFormProps = { review: Review; form: FormDefinition; suggestion: Suggestion }

function ReadOnly({ review, form, suggestion }: ReadOnlyFormProps) {
  const values = useMemo(() => initialValues(form, suggestion), [form, suggestion])
  const mayDecideOthers = useMay('decide')
  return (
    <Below>
      <div className="flex-1 px-4 py-5 md:px-6">
        {review.retryRequested && (
          <div className="mb-5">
            <WaitingBanner form={form} {...review.retryRequested} />
          </div>
        )}
        <ReadOnlyForm review={review} form={form} suggestion={suggestion} values={values} />
      </div>
      <NoDecision>
        <WhoMayDecide review={review} mayDecideOthers={mayDecideOthers} />
      </NoDecision>
    </Below>
  )
}

function HeldDecision({
  review,
  form,
  suggestion,
  edit,
  pending,
}: ReadOnlyFormProps & { edit: Edit | null; pending: PendingDecision }) {
  const values = useMemo(
    () => edit?.values ?? applySubmission(form, suggestion, pending.data as Json),
    [edit, form, suggestion, pending.data],
  )
  return (
    <Below>
      <div className="flex-1 px-4 py-5 md:px-6">
        <ReadOnlyForm review={review} form={form} suggestion={suggestion} values={values} />
      </div>
      <UndoBar decision={pending} onUndo={() => undo(review.reviewId)} />
    </Below>
  )
}

function Responded({
  review,
  form,
  suggestion,
  edit,
  refused,
  me,
}: ReadOnlyFormProps & { edit: Edit | null; refused: RefusedDecision | undefined; me: string }) {
  const result = review.reviewResult
  const values = useMemo(
    () => applySubmission(form, suggestion, (result?.data ?? {}) as Json),
    [form, suggestion, result?.data],
  )
  const edited = useMemo(() => editedFields(form, suggestion, values), [form, suggestion, values])
  const isMine = result?.respondingUserId === me
  const unused = edit && !isPristine(edit) ? getEditedFields(edit) : []
  const isOvertaken = !isMine && (refused !== undefined || unused.length > 0)
  return (
    <Below>
      <div className="flex-1 px-4 py-5 md:px-6">
        <div className="mb-5 flex flex-col gap-3">
          {isOvertaken && edit && result && (
            <DecidedBanner
              edit={edit}
              edits={unused}
              decided={result.response ?? 'submitted'}
              who={result.respondingUser}
              timedOut={review.timedOut === true}
              at={result.respondedAt}
              mine={refused ? (refused.response ?? 'submitted') : null}
              theirs={{ ...suggestion, values }}
              onDismiss={() => {
                dismiss(review.reviewId)
                memberEdits.forget(review.reviewId)
              }}
            />
          )}
          {isOvertaken && !edit && refused && (
            <RefusedBanner message={refused.error.message} onDismiss={() => dismiss(review.reviewId)} />
          )}
          <ResultSummary review={review} edited={edited.length} />
        </div>
        <ReadOnlyForm review={review} form={form} suggestion={suggestion} values={values} />
      </div>
    </Below>
  )
}
