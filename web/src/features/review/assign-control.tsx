import { t } from '@lingui/core/macro'
import { Hand, Undo2 } from 'lucide-react'
import { Suspense, useMemo, useState } from 'react'
import { useSelfAssignment } from '@/api/assignment'
import { isDecidable, type Review } from '@/api/review'
import { useMe } from '@/api/session'
import { Button } from '@/components/button'
import { lazyPart } from '@/components/lazy'
import { LoadingDialog } from '@/components/loading-dialog'
import { MenuItem } from '@/components/menu'
import { Tooltip } from '@/components/tooltip'
import { type Shortcut, useShortcuts } from '@/lib/shortcuts'

const AssignDialog = lazyPart(() => import('./assign-dialog'))

export type Assigning = {
  /** Absent if the member isn't allowed to. */
  assign?: () => void
  take?: () => void
  handBack?: () => void
  busy: boolean
  /** Why the last action failed. */
  refusal: string | null
  dialog: React.ReactNode
}

/** How the current user can change the reviewers, with shortcuts. */
export function useAssigning(review: Review): Assigning {
  const me = useMe()
  const [isOpen, setOpen] = useState(false)
  const { mutate, isPending, error } = useSelfAssignment(review.reviewId)
  const mayAct = isDecidable(review)
  const close = () => setOpen(false)
  const isTaken = review.takenBy !== undefined
  const isMine = review.takenBy?.userId === me.user.userId
  const canTake = mayAct && !isTaken
  const canHandBack = review.state === 'pending' && isMine
  useShortcuts(
    useMemo((): Shortcut[] => {
      const group = t({ message: 'Review', context: 'noun' })
      return [
        ...(mayAct ? [{ keys: 'w', label: t`Assign reviewers…`, group, run: () => setOpen(true) }] : []),
        ...(canTake ? [{ keys: 'i', label: t`Claim review`, group, run: () => mutate('take') }] : []),
        ...(canHandBack
          ? [{ keys: 'shift+i', label: t`Release review`, group, run: () => mutate('handBack') }]
          : []),
      ]
    }, [mayAct, canTake, canHandBack, mutate]),
  )
  return {
    ...(mayAct && { assign: () => setOpen(true) }),
    ...(canTake && { take: () => mutate('take') }),
    ...(canHandBack && { handBack: () => mutate('handBack') }),
    busy: isPending,
    refusal: error?.message ?? null,
    dialog: isOpen && (
      <Suspense fallback={<LoadingDialog title={t`Reviewers`} onClose={close} />}>
        <AssignDialog review={review} onClose={close} />
      </Suspense>
    ),
  }
}

/** Next to the title; on a phone it's in the menu. */
export function TakeButton({ take, handBack, busy, refusal }: Assigning) {
  return (
    <>
      <span role="status" className={refusal ? 'max-w-60 text-bad text-sm' : 'sr-only'}>
        {refusal}
      </span>
      {take && (
        <Tooltip
          label={t`Until you release this review, only you, admins, and external reviewers can decide.`}
        >
          <Button
            size="small"
            icon={<Hand />}
            keys="i"
            busy={busy}
            onClick={take}
            className="me-1 max-md:hidden @max-[34rem]:hidden"
          >
            {t({ message: 'Claim', comment: 'Button: take this review' })}
          </Button>
        </Tooltip>
      )}
      {handBack && (
        <Button
          size="small"
          icon={<Undo2 />}
          keys="shift+i"
          busy={busy}
          onClick={handBack}
          className="me-1 max-md:hidden @max-[34rem]:hidden"
        >
          {t({ message: 'Release', comment: 'Button: give up a claim' })}
        </Button>
      )}
    </>
  )
}

export function AssigningItems({ assign, take, handBack }: Assigning) {
  return (
    <>
      {take && (
        <MenuItem icon={<Hand />} keys="i" onSelect={take}>
          {t({ message: 'Claim', comment: 'Button: take this review' })}
        </MenuItem>
      )}
      {handBack && (
        <MenuItem icon={<Undo2 />} keys="shift+i" onSelect={handBack}>
          {t({ message: 'Release', comment: 'Button: give up a claim' })}
        </MenuItem>
      )}
      {assign && (
        <MenuItem
          icon={<span className="inline-block w-[15px] text-center">@</span>}
          keys="w"
          onSelect={assign}
        >
          {t`Assign reviewers…`}
        </MenuItem>
      )}
    </>
  )
}
