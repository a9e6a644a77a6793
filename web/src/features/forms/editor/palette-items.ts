import { FAMILIES, FIELD_TYPES, TYPE_NAMES } from '../document/field-types'
import type { PaletteKind } from '../document/operations'

export type PaletteItem = { kind: PaletteKind; name: string; about: string }

const BOXES: readonly PaletteItem[] = [
  { kind: 'columns', name: 'Columns', about: 'Fields side by side' },
  { kind: 'grid', name: 'Grid', about: 'Fields in cells of one width' },
  { kind: 'group', name: 'Group', about: 'A box with a heading' },
]

/** Everything that can be put on the canvas, by what it is for. */
export const PALETTE: readonly { heading: string; items: readonly PaletteItem[] }[] = [
  { heading: 'Layout', items: BOXES },
  ...FAMILIES.map(family => ({
    heading: family,
    items: TYPE_NAMES.filter(type => FIELD_TYPES[type].family === family).map(type => ({
      kind: type,
      name: FIELD_TYPES[type].name,
      about: FIELD_TYPES[type].about,
    })),
  })),
]

export const paletteName = (kind: PaletteKind): string =>
  PALETTE.flatMap(({ items }) => items).find(item => item.kind === kind)?.name ?? kind
