import { matchesSearch } from '@/lib/matches-search'
import type { Option } from '../types'

/** The options that match a search by their label or ID. */
export const filterOptions = (options: readonly Option[], search: string): readonly Option[] =>
  options.filter(option => matchesSearch(`${option.label} ${option.id}`, search))
