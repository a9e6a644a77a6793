import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Hand, UserRound, UserRoundCheck } from 'lucide-react'
import { type MouseEvent, memo } from 'react'
import { usePresence } from '@/api/live'
import type { ReviewRow } from '@/api/review-filters'
import { Avatar } from '@/components/avatar'
import { RelativeTime } from '@/components/relative-time'
import { classes } from '@/lib/classes'
import { formatList } from '@/lib/i18n'
import { DueMark } from './due-mark'
import { highlightMatches } from './highlight'
import { isSelectable } from './selection'
import { getOneTypeText, ONE_TYPE_ID } from './selection-bar'
import { StateBadge } from './state-badge'

export type Assigned = 'me' | 'standingIn' | 'others' | 'nobody'

type Props = {
  row: ReviewRow
  agentName: string | undefined
  /** In the language of the page. */
  formName: string
  /** The review's URL. A plain link: with hundreds of rows, a router link for each would be slow. */
  href: string
  /** The searched words. */
  q: string | undefined
  assigned: Assigned
  /** The name of the member who claimed it. */
  taker: string | undefined
  isTakenByMe: boolean
  isOpen: boolean
  /** It has the keyboard cursor. */
  isCursor: boolean
  isUnseen: boolean
  isSelected: boolean
  /** Whether anything can be selected at all. */
  canSelect: boolean
  /** Reviews of another type are selected, so this one can't be. */
  isOtherType: boolean
  /** Every row shows its checkbox, not only the hovered one. */
  isSelecting: boolean
  /** A tap anywhere on the row selects it. */
  tapSelects: boolean
  position: number
  total: number | undefined
  /** In pixels from the top of the list. */
  top: number
  height: number
  onOpen: (reviewId: string) => void
  onToggle: (row: ReviewRow, isRange: boolean) => void
  onHover: (reviewId: string) => void
  onFocus: (reviewId: string) => void
}

/** One review in the list: a link with a checkbox. Two lines of fixed height. */
export const ReviewRowItem = memo(function ReviewRowItem({
  row,
  agentName,
  formName,
  href,
  q,
  assigned,
  taker,
  isTakenByMe,
  isOpen,
  isCursor,
  isUnseen,
  isSelected,
  canSelect,
  isOtherType,
  isSelecting,
  tapSelects,
  position,
  total,
  top,
  height,
  onOpen,
  onToggle,
  onHover,
  onFocus,
}: Props) {
  const title = row.title || formName
  const marked = (
    <bdi>
      {highlightMatches(title, q).map((piece, index) =>
        piece.isHit ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no identity but their position.
          <mark key={index} className="rounded-xs bg-warn-soft text-inherit">
            {piece.text}
          </mark>
        ) : (
          piece.text
        ),
      )}
    </bdi>
  )
  const mayToggle = canSelect && isSelectable(row)
  const select = (event: MouseEvent) => {
    // The selection controls the checkbox; a range needs the shift key, which only the click event knows.
    onToggle(row, event.shiftKey)
  }
  const onLink = (event: MouseEvent) => {
    // With these keys the browser handles the click: a new tab, a download.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.altKey) return
    event.preventDefault()
    // As in file managers, shift selects a range.
    if (mayToggle && (event.shiftKey || tapSelects)) onToggle(row, event.shiftKey)
    else onOpen(row.reviewId)
  }
  return (
    <li
      style={{ height, transform: `translateY(${top}px)` }}
      aria-setsize={total ?? -1}
      aria-posinset={position}
      className={classes(
        'group/row absolute inset-x-0 top-0 flex border-line border-b -outline-offset-2 outline-accent has-[a:focus-visible]:outline-2',
        isOpen ? 'bg-selected' : isSelected ? 'bg-accent-soft' : 'hover:bg-sunken',
      )}
    >
      <div className="relative grid w-7 shrink-0 place-items-start justify-center pt-3 max-md:w-9">
        <span
          className={classes(
            'mt-1.5 size-2 rounded-full',
            isUnseen ? 'bg-accent-solid' : 'bg-transparent',
            (isSelected || isSelecting) && mayToggle && 'invisible',
            mayToggle && 'group-hover/row:invisible group-has-[input:focus-visible]/row:invisible',
          )}
          aria-hidden="true"
        />
        {mayToggle && (
          <label
            title={isOtherType ? getOneTypeText() : undefined}
            className={classes(
              'absolute inset-0 grid place-items-start justify-center pt-[0.9rem]',
              isOtherType ? 'cursor-not-allowed' : 'cursor-pointer',
              !isSelected &&
                !isSelecting &&
                'opacity-0 focus-within:opacity-100 group-hover/row:opacity-100 max-md:pointer-events-none',
            )}
          >
            <span className="sr-only">{t`Select “${title}”`}</span>
            <input
              type="checkbox"
              checked={isSelected}
              disabled={isOtherType}
              aria-describedby={isOtherType ? ONE_TYPE_ID : undefined}
              readOnly
              tabIndex={isCursor ? 0 : -1}
              onClick={select}
              className="size-4 accent-(--accent-solid)"
            />
          </label>
        )}
      </div>
      <a
        href={href}
        data-review={row.reviewId}
        aria-current={isOpen ? 'true' : undefined}
        tabIndex={isCursor ? 0 : -1}
        onClick={onLink}
        onFocus={() => onFocus(row.reviewId)}
        onPointerEnter={() => onHover(row.reviewId)}
        className="flex min-w-0 flex-1 flex-col justify-center gap-0.5 pe-3 outline-none"
      >
        <span className="flex items-baseline gap-2">
          <span className={classes('min-w-0 flex-1 truncate', isUnseen && 'font-semibold')}>
            {isUnseen ? (
              <Trans>
                <span className="sr-only">Not opened: </span>
                {marked}
              </Trans>
            ) : (
              marked
            )}
          </span>
          <span className="shrink-0 text-muted text-xs">
            <RelativeTime at={row.createdAt} short />
          </span>
        </span>
        <span className="flex h-5 items-center gap-1.5 text-muted text-sm">
          <span className="min-w-0 flex-1 truncate">
            {agentName ?? t`Agent`}
            {row.title && ` · ${formName}`}
          </span>
          <PresentPeople reviewId={row.reviewId} />
          {row.takenBy && row.state === 'pending' ? (
            <TakenMark taker={taker} isMe={isTakenByMe} />
          ) : (
            <AssignedMark assigned={assigned} />
          )}
          <DueMark row={row} />
          <StateBadge row={row} />
        </span>
      </a>
    </li>
  )
})

function PresentPeople({ reviewId }: { reviewId: string }) {
  const people = usePresence(reviewId)
  if (people.length === 0) return null
  return (
    <span className="flex shrink-0 -space-x-1">
      <span className="sr-only">
        {t`Viewing now: ${{ names: formatList(people.map(person => person.name)) }}.`}{' '}
      </span>
      {people.slice(0, 3).map(person => (
        <Avatar
          key={person.userId}
          name={person.name}
          className="size-4.5 text-[0.5rem] ring-1 ring-surface"
        />
      ))}
    </span>
  )
}

function TakenMark({ taker, isMe }: { taker: string | undefined; isMe: boolean }) {
  const label = isMe ? t`Claimed by you` : taker ? t`Claimed by ${{ name: taker }}` : t`Claimed by someone`
  const short = isMe
    ? t({ message: 'You', comment: 'Who claimed a review, next to an icon' })
    : (taker ?? t({ message: 'Someone', comment: 'Who claimed a review, next to an icon' }))
  return (
    <span
      className={classes('flex min-w-0 max-w-28 items-center gap-1', isMe && 'text-accent')}
      title={label}
    >
      <Hand className="icon-small shrink-0" />
      <span className="sr-only">{label}. </span>
      <span dir="auto" className="truncate text-xs" aria-hidden="true">
        {short}
      </span>
    </span>
  )
}

function AssignedMark({ assigned }: { assigned: Assigned }) {
  if (assigned === 'nobody') return null
  const label = {
    me: t`Assigned to you`,
    standingIn: t`Assigned to you as delegate`,
    others: t`Assigned to others`,
  }[assigned]
  return (
    <span className={classes('shrink-0', assigned !== 'others' && 'text-accent')} title={label}>
      <span className="sr-only">{label}. </span>
      {assigned !== 'others' ? (
        <UserRoundCheck className="icon-small" />
      ) : (
        <UserRound className="icon-small" />
      )}
    </span>
  )
}
