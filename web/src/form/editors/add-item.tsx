import { Plus } from 'lucide-react'
import { Button } from '@/components/button'
import type { useItems } from '../use-items'

/** Adds an item at the end and shows its page. */
export function AddItem({
  items,
  show,
  children,
}: {
  items: ReturnType<typeof useItems>
  show: (index: number) => void
  children: string
}) {
  if (!items.mayAdd) return null
  return (
    <Button
      size="small"
      icon={<Plus />}
      className="self-start"
      onClick={() => {
        items.actions.add()
        show(items.items.length)
      }}
    >
      {children}
    </Button>
  )
}
