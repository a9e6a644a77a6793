import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react'
import { IconButton } from '@/components/button'
import type { ItemProps } from './item-props'
import { ITEM_TEXTS, type Noun } from './item-texts'

type Props = Pick<ItemProps<never>, 'index' | 'isLast' | 'mayMove' | 'mayRemove' | 'actions'> & {
  noun: Noun
}

/** Buttons that move and remove an item. */
export function ItemButtons({ index, isLast, mayMove, mayRemove, actions, noun }: Props) {
  return (
    <span className="flex min-h-8 shrink-0 items-center">
      {mayMove && (
        <>
          <IconButton
            label={ITEM_TEXTS[noun].moveUp(index + 1)}
            size="small"
            icon={<ArrowUp />}
            disabled={index === 0}
            onClick={() => actions.move(index, index - 1)}
          />
          <IconButton
            label={ITEM_TEXTS[noun].moveDown(index + 1)}
            size="small"
            icon={<ArrowDown />}
            disabled={isLast}
            onClick={() => actions.move(index, index + 1)}
          />
        </>
      )}
      {mayRemove && (
        <IconButton
          label={ITEM_TEXTS[noun].remove(index + 1)}
          size="small"
          icon={<Trash2 />}
          onClick={() => actions.remove([index])}
        />
      )}
    </span>
  )
}
