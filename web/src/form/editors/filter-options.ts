import type { Option } from '../types'

const normalize = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** The options that contain every word of a search in their label or ID, ignoring case and accents. */
export function filterOptions(options: readonly Option[], search: string): readonly Option[] {
  const words = normalize(search).split(/\s+/).filter(Boolean)
  if (words.length === 0) return options
  return options.filter(option => {
    const text = normalize(`${option.label} ${option.id}`)
    return words.every(word => text.includes(word))
  })
}
