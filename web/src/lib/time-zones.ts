const known = Intl.supportedValuesOf('timeZone')

/** The time zones that this browser knows, and the chosen one even if it doesn't. */
export const timeZones = (chosen: string | null | undefined): readonly string[] => {
  const all = known.includes('UTC') ? known : ['UTC', ...known]
  return chosen && !all.includes(chosen) ? [chosen, ...all] : all
}
