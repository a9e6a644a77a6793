const known = Intl.supportedValuesOf('timeZone')

/** Those that this browser knows. The one that is chosen is among them, even if it has never heard of it. */
export const timeZones = (chosen: string | null | undefined): readonly string[] => {
  const all = known.includes('UTC') ? known : ['UTC', ...known]
  return chosen && !all.includes(chosen) ? [chosen, ...all] : all
}
