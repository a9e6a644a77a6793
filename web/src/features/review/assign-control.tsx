import { Hand, Undo2 } from 'lucide-react'
import { Suspense, useMemo, useState } from 'react'
import { useTake } from '@/api/assignment'
import { isOpenTo, type Review } from '@/api/review'
import { useMe } from '@/api/session'
import { Button } from '@/components/button'
import { lazyPart } from '@/components/lazy'
import { MenuItem } from '@/components/menu'
import { Opening } from '@/components/opening'
import { type Shortcut, useShortcuts } from '@/lib/shortcuts'

const AssignDialog = lazyPart(() => import('./assign-dialog'))

export type Assigning = {
  /** Absent where the person may not. */
  assign?: () => void
  take?: () => void
  handBack?: () => void
  busy: boolean
  /** What kept the last one from happening. */
  refusal: string | null
  dialog: React.ReactNode
}

/** What the person may do about who is asked, with its keys. */
export function useAssigning(review: Review): Assigning {
  const me = useMe()
  const [isOpen, setOpen] = useState(false)
  const { mutate, isPending, error } = useTake(review.reviewId)
  const mayAct = isOpenTo(review)
  const close = () => setOpen(false)
  const isTaken = review.takenBy !== undefined
  const isMine = review.takenBy?.userId === me.user.userId
  const canTake = mayAct && !isTaken
  const canHandBack = review.state === 'pending' && isMine
  useShortcuts(
    useMemo((): Shortcut[] => {
      const group = 'Review'
      return [
        ...(mayAct ? [{ keys: 'w', label: 'Who is asked …', group, run: () => setOpen(true) }] : []),
        ...(canTake ? [{ keys: 'i', label: 'Take it', group, run: () => mutate('take') }] : []),
        ...(canHandBack
          ? [{ keys: 'shift+i', label: 'Hand it back', group, run: () => mutate('handBack') }]
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
      <Suspense fallback={<Opening title="Who is asked" onClose={close} />}>
        <AssignDialog review={review} onClose={close} />
      </Suspense>
    ),
  }
}

/** Beside the title; on a phone the menu has it. */
export function TakeButton({ take, handBack, busy, refusal }: Assigning) {
  return (
    <>
      <span role="status" className={refusal ? 'max-w-60 text-bad text-sm' : 'sr-only'}>
        {refusal}
      </span>
      {take && (
        <Button
          size="small"
          icon={<Hand size={14} aria-hidden="true" />}
          keys="i"
          busy={busy}
          onClick={take}
          className="mr-1 max-md:hidden @max-[34rem]:hidden"
        >
          Take
        </Button>
      )}
      {handBack && (
        <Button
          size="small"
          icon={<Undo2 size={14} aria-hidden="true" />}
          keys="shift+i"
          busy={busy}
          onClick={handBack}
          className="mr-1 max-md:hidden @max-[34rem]:hidden"
        >
          Hand back
        </Button>
      )}
    </>
  )
}

export function AssigningItems({ assign, take, handBack }: Assigning) {
  return (
    <>
      {take && (
        <MenuItem icon={<Hand size={15} />} keys="i" onSelect={take}>
          Take
        </MenuItem>
      )}
      {handBack && (
        <MenuItem icon={<Undo2 size={15} />} keys="shift+i" onSelect={handBack}>
          Hand back
        </MenuItem>
      )}
      {assign && (
        <MenuItem
          icon={<span className="inline-block w-[15px] text-center">@</span>}
          keys="w"
          onSelect={assign}
        >
          Who is asked…
        </MenuItem>
      )}
    </>
  )
}
