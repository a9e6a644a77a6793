/** The texts about items, rows and images of a list. */

import { plural, t } from '@lingui/core/macro'
import { formatNumber } from '@/lib/i18n'

export type Noun = 'item' | 'row' | 'image'

type Words = {
  /** These take a position, counted from 1. */
  moveUp: (place: number) => string
  moveDown: (place: number) => string
  remove: (place: number) => string
  reorder: (place: number) => string
  errorIn: (place: number) => string
  add: () => string
  count: (count: number) => string
  notViewed: (count: number) => string
  notViewedIn: (missing: number, count: number, label: string) => string
  /** For screen readers, during a drag by keyboard. */
  pickedUp: (place: number) => string
  movesTo: (place: number, to: number, count: number) => string
  dropped: (place: number, to: number, count: number) => string
  canceled: (place: number) => string
}

const number = (value: number) => formatNumber(value)

export const ITEM_TEXTS: Record<Noun, Words> = {
  item: {
    moveUp: place => t`Move item ${{ number: number(place) }} up`,
    moveDown: place => t`Move item ${{ number: number(place) }} down`,
    remove: place => t`Remove item ${{ number: number(place) }}`,
    reorder: place => t`Reorder item ${{ number: number(place) }}`,
    errorIn: place => t`Error in item ${{ number: number(place) }}`,
    add: () => t`Add item`,
    count: count => t`${plural(count, { one: '# item', other: '# items' })}`,
    notViewed: count => t`${plural(count, { one: '# item', other: '# items' })} not viewed`,
    notViewedIn: (missing, count, label) =>
      t`${{ missing: number(missing) }} of ${plural(count, { one: '# item', other: '# items' })} not viewed in “${label}”`,
    pickedUp: place => t`Picked up item ${{ number: number(place) }}.`,
    movesTo: (place, to, count) =>
      t`Item ${{ number: number(place) }} will move to position ${{ position: number(to) }} of ${{ total: number(count) }}.`,
    dropped: (place, to, count) =>
      t`Dropped item ${{ number: number(place) }} at position ${{ position: number(to) }} of ${{ total: number(count) }}.`,
    canceled: place => t`Move canceled. Item ${{ number: number(place) }} stays where it was.`,
  },
  row: {
    moveUp: place => t`Move row ${{ number: number(place) }} up`,
    moveDown: place => t`Move row ${{ number: number(place) }} down`,
    remove: place => t`Remove row ${{ number: number(place) }}`,
    reorder: place => t`Reorder row ${{ number: number(place) }}`,
    errorIn: place => t`Error in row ${{ number: number(place) }}`,
    add: () => t`Add row`,
    count: count => t`${plural(count, { one: '# row', other: '# rows' })}`,
    notViewed: count => t`${plural(count, { one: '# row', other: '# rows' })} not viewed`,
    notViewedIn: (missing, count, label) =>
      t`${{ missing: number(missing) }} of ${plural(count, { one: '# row', other: '# rows' })} not viewed in “${label}”`,
    pickedUp: place => t`Picked up row ${{ number: number(place) }}.`,
    movesTo: (place, to, count) =>
      t`Row ${{ number: number(place) }} will move to position ${{ position: number(to) }} of ${{ total: number(count) }}.`,
    dropped: (place, to, count) =>
      t`Dropped row ${{ number: number(place) }} at position ${{ position: number(to) }} of ${{ total: number(count) }}.`,
    canceled: place => t`Move canceled. Row ${{ number: number(place) }} stays where it was.`,
  },
  image: {
    moveUp: place => t`Move image ${{ number: number(place) }} up`,
    moveDown: place => t`Move image ${{ number: number(place) }} down`,
    remove: place => t`Remove image ${{ number: number(place) }}`,
    reorder: place => t`Reorder image ${{ number: number(place) }}`,
    errorIn: place => t`Error in image ${{ number: number(place) }}`,
    add: () => t`Add image`,
    count: count => t`${plural(count, { one: '# image', other: '# images' })}`,
    notViewed: count => t`${plural(count, { one: '# image', other: '# images' })} not viewed`,
    notViewedIn: (missing, count, label) =>
      t`${{ missing: number(missing) }} of ${plural(count, { one: '# image', other: '# images' })} not viewed in “${label}”`,
    pickedUp: place => t`Picked up image ${{ number: number(place) }}.`,
    movesTo: (place, to, count) =>
      t`Image ${{ number: number(place) }} will move to position ${{ position: number(to) }} of ${{ total: number(count) }}.`,
    dropped: (place, to, count) =>
      t`Dropped image ${{ number: number(place) }} at position ${{ position: number(to) }} of ${{ total: number(count) }}.`,
    canceled: place => t`Move canceled. Image ${{ number: number(place) }} stays where it was.`,
  },
}
