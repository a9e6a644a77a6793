import { type PaletteItem, palette } from './palette-items'

/** The items that match the search: names that start with it first, then names that contain it, then descriptions. */
export function searchPalette(words: string): PaletteItem[] {
  const wanted = words.trim().toLowerCase()
  const rank = ({ name, about, kind }: PaletteItem): number => {
    const [called, code] = [name.toLowerCase(), kind.toLowerCase()]
    if (called.startsWith(wanted)) return 0
    if (called.includes(wanted) || code.includes(wanted)) return 1
    return about.toLowerCase().includes(wanted) ? 2 : 3
  }
  return palette()
    .flatMap(({ items }) => items)
    .filter(item => rank(item) < 3)
    .sort((one, other) => rank(one) - rank(other))
}
