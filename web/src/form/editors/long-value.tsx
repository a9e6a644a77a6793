import { type ReactNode, useState } from 'react'
import { Button } from '@/components/button'

const numbers = new Intl.NumberFormat()

/** Shows the beginning of a text that would make the page slow, and all of it when asked for. */
export function LongValue({
  text,
  most = 20_000,
  children,
}: {
  text: string
  most?: number
  children: (shown: string) => ReactNode
}) {
  const [whole, setWhole] = useState(false)
  if (whole || text.length <= most) return children(text)
  return (
    <>
      {children(text.slice(0, most))}
      <Button size="small" className="mt-2" onClick={() => setWhole(true)}>
        Show all {numbers.format(text.length)} characters
      </Button>
    </>
  )
}
