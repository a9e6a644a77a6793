import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import {
  type Access,
  createReviewQueries,
  externalAccess,
  type Review,
  type ReviewQueries,
  renewLink,
} from '@/api/review'
import { methodsQuery } from '@/api/sign-in'
import { RelativeTime } from '@/components/relative-time'
import { ErrorState, Spinner } from '@/components/status'
import { ExternalFrame } from '@/features/external/external-frame'
import { DecidedPage, LinkEnded } from '@/features/external/external-states'
import { getLinkEnd, getLinkLanguage } from '@/features/external/link-end'
import { useLinkToken } from '@/features/external/token'
import { createEditStore, type EditStore } from '@/features/review/edit-store'
import { ExternalReviewDesk } from '@/features/review/external-review-desk'
import { useReviewTitle } from '@/features/review/review-header'
import { requestLanguage } from '@/lib/i18n'
import { stripDirectionControls } from '@/lib/text-direction'

const route = getRouteApi('/external/$reviewId')

/** One review for a person without an account who followed a link. Opening it decides nothing. */
export function ExternalPage() {
  const { reviewId } = route.useParams()
  const token = useLinkToken(reviewId, route.useSearch().token)
  return token === null ? (
    <LinkEnded ending={{ kind: 'unknown' }} />
  ) : (
    <LinkedReview key={token} reviewId={reviewId} token={token} />
  )
}

/** This page gets no live updates, so it polls. */
const POLL_INTERVAL = 15_000

function LinkedReview({ reviewId, token }: { reviewId: string; token: string }) {
  const access = useMemo(() => externalAccess(token), [token])
  const queries = useMemo(() => createReviewQueries(access), [access])
  const [store] = useState(() => createEditStore(access, () => `signoff.drafts.${token}`))
  const [justNow, setJustNow] = useState(false)
  const review = useQuery({
    ...queries.review(reviewId),
    refetchInterval: ({ state }) => (state.data?.state === 'pending' && !state.error ? POLL_INTERVAL : false),
  })
  const isExpired = getLinkEnd(review.error)?.kind === 'expired'
  const methods = useQuery({ ...methodsQuery, enabled: isExpired })
  const language = review.data?.language ?? getLinkLanguage(review.error)
  useEffect(() => {
    if (language) void requestLanguage(language)
  }, [language])
  // After this person has responded, the link ends, and the page thanks them.
  const ending = justNow ? null : getLinkEnd(review.error)
  if (ending)
    return (
      <LinkEnded
        ending={ending}
        onRenew={methods.data?.mail ? () => renewLink(access, reviewId) : undefined}
      />
    )
  if (!review.data)
    return (
      <main className="grid min-h-dvh place-items-center">
        {review.error ? (
          <ErrorState
            title={t`Couldn't load the review`}
            error={review.error}
            onRetry={() => review.refetch()}
          />
        ) : (
          <Spinner />
        )}
      </main>
    )
  return (
    <LoadedReview
      review={review.data}
      access={access}
      queries={queries}
      store={store}
      isJustDecided={justNow}
      onDecided={() => setJustNow(true)}
    />
  )
}

function LoadedReview({
  review,
  access,
  queries,
  store,
  isJustDecided,
  onDecided,
}: {
  review: Review
  access: Access
  queries: ReviewQueries
  store: EditStore
  isJustDecided: boolean
  onDecided: () => void
}) {
  const { agentName, createdAt, reviewResult, state } = review
  const agent = <bdi>{agentName}</bdi>
  const title = useReviewTitle(review, queries)
  useEffect(() => {
    document.title = stripDirectionControls(title)
  }, [title])
  return (
    <ExternalFrame
      title={title}
      about={
        <Trans>
          {agent} requested your review <RelativeTime at={createdAt} />
        </Trans>
      }
    >
      {state === 'responded' ? (
        <DecidedPage
          response={reviewResult?.response ?? null}
          at={reviewResult?.respondedAt ?? createdAt}
          by={reviewResult?.respondingUser ?? null}
          isMine={isJustDecided}
          isJustNow={isJustDecided}
        />
      ) : (
        <ExternalReviewDesk
          review={review}
          access={access}
          queries={queries}
          store={store}
          onDecided={onDecided}
        />
      )}
    </ExternalFrame>
  )
}
