import { type ReactNode, useRef, useState } from 'react'
import { Button } from '@/components/button'
import { useApprovalNotice } from '../approval-notices'

const numbers = new Intl.NumberFormat()

/** Shows the beginning of a text that would make the page slow, and all of it when asked for. */
export function LongValue({
  text,
  most = 20_000,
  isExtra = false,
  children,
}: {
  text: string
  most?: number
  /** Approve needn't mention it: no field shows it anyway. */
  isExtra?: boolean
  children: (shown: string) => ReactNode
}) {
  const [whole, setWhole] = useState(false)
  const isCut = !whole && text.length > most
  const showAll = useRef<HTMLButtonElement>(null)
  useApprovalNotice(
    isCut && !isExtra
      ? {
          level: 'confirm',
          text: `${numbers.format(text.length - most)} of ${numbers.format(text.length)} characters not shown`,
          show: () => showAll.current?.focus(),
        }
      : null,
  )
  if (!isCut) return children(text)
  return (
    <>
      {children(text.slice(0, most))}
      <Button ref={showAll} size="small" className="mt-2" onClick={() => setWhole(true)}>
        Show all {numbers.format(text.length)} characters
      </Button>
    </>
  )
}
