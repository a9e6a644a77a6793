import { plural, t } from '@lingui/core/macro'
import { type ReactNode, useRef, useState } from 'react'
import { Button } from '@/components/button'
import { formatNumber } from '@/lib/i18n'
import { useApprovalNotice } from '../approval-notices'

/** Shows the beginning of a text that would slow the page down, and all of it on request. */
export function LongValue({
  text,
  most = 20_000,
  label,
  children,
}: {
  text: string
  most?: number
  /** The field's label for Approve to mention. Without it, there is no notice. */
  label?: string | undefined
  children: (shown: string) => ReactNode
}) {
  const [whole, setWhole] = useState(false)
  const isCut = !whole && text.length > most
  const showAll = useRef<HTMLButtonElement>(null)
  useApprovalNotice(
    isCut && label !== undefined
      ? {
          level: 'confirm',
          text: getNotShownText(text.length - most, text.length, label),
          show: () => {
            showAll.current?.scrollIntoView({ block: 'center' })
            showAll.current?.focus()
          },
        }
      : null,
  )
  if (!isCut) return children(text)
  return (
    <>
      {children(text.slice(0, most))}
      <Button
        ref={showAll}
        size="small"
        className="mt-2 focus:outline-2 focus:outline-accent"
        onClick={() => setWhole(true)}
      >
        {showAllText(text.length)}
      </Button>
    </>
  )
}

function getNotShownText(missing: number, count: number, label: string): string {
  const hidden = formatNumber(missing)
  return t`${plural(count, {
    one: `${hidden} of # character not shown in “${label}”`,
    other: `${hidden} of # characters not shown in “${label}”`,
  })}`
}

const showAllText = (count: number): string =>
  t`${plural(count, { one: 'Show # character', other: 'Show all # characters' })}`
