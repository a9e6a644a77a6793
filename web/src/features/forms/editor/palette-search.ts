import { type PaletteItem, palette } from './palette-items'

/** What fits the words: names that begin with them first, then names that have them, then explanations. */
export function matching(words: string): PaletteItem[] {
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
