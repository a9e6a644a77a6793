/** Durations with units, in minutes. */
export const UNITS = { minutes: 1, hours: 60, days: 1_440 } as const
export type Unit = keyof typeof UNITS

/** The largest unit in which the duration is a whole number. */
export const getLargestUnit = (minutes: number): Unit =>
  minutes % UNITS.days === 0 ? 'days' : minutes % UNITS.hours === 0 ? 'hours' : 'minutes'
