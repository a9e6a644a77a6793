import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react'
import { IconButton } from '@/components/button'
import type { ItemProps } from './item-props'

type Props = Pick<ItemProps<never>, 'index' | 'isLast' | 'mayMove' | 'mayRemove' | 'actions'> & {
  label: string
}

/** Moves and removes one item, by buttons. */
export function ItemButtons({ index, isLast, mayMove, mayRemove, actions, label }: Props) {
  return (
    <span className="flex min-h-8 shrink-0 items-center">
      {mayMove && (
        <>
          <IconButton
            label={`Move ${label} up`}
            size="small"
            className="max-md:size-11"
            icon={<ArrowUp size={14} />}
            disabled={index === 0}
            onClick={() => actions.move(index, index - 1)}
          />
          <IconButton
            label={`Move ${label} down`}
            size="small"
            className="max-md:size-11"
            icon={<ArrowDown size={14} />}
            disabled={isLast}
            onClick={() => actions.move(index, index + 1)}
          />
        </>
      )}
      {mayRemove && (
        <IconButton
          label={`Remove ${label}`}
          size="small"
          className="max-md:size-11"
          icon={<Trash2 size={14} />}
          onClick={() => actions.remove([index])}
        />
      )}
    </span>
  )
}
