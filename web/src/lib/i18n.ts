/** The language of the page, and how numbers and lists are written in it. */

import { i18n } from '@lingui/core'

export { i18n }

/** English is in the code, as Lingui's macros have it, and needs no catalog. */
i18n.loadAndActivate({ locale: 'en', locales: regional('en'), messages: {} })

/** The variants of a language that this browser is set to, like `en-GB`: they say how dates and numbers are written. */
function regional(language: string): string[] {
  const preferred = typeof navigator === 'undefined' ? [] : navigator.languages
  return [...preferred.filter(tag => tag === language || tag.startsWith(`${language}-`)), language]
}

/** For everything in `Intl`. */
export const locales = (): Intl.LocalesArgument => i18n.locales ?? i18n.locale

const formats = new Map<string, unknown>()

/** One of `Intl`'s formats for the page's language. Making one takes long, so each is made once. */
export function intl<Options, Format>(
  Kind: new (locales: Intl.LocalesArgument, options?: Options) => Format,
  options?: Options,
): Format {
  const key = `${Kind.name} ${String(locales())} ${JSON.stringify(options)}`
  const format = (formats.get(key) as Format | undefined) ?? new Kind(locales(), options)
  formats.set(key, format)
  return format
}

export const formatNumber = (value: number, options?: Intl.NumberFormatOptions): string =>
  intl(Intl.NumberFormat, options).format(value)

/** From a part of one: `0.5` is `50%`. */
export const formatPercent = (part: number, digits = 0): string =>
  formatNumber(part, { style: 'percent', maximumFractionDigits: digits })

/** `One, two, and three`; with `disjunction` `one, two, or three`. */
export const formatList = (items: Iterable<string>, type: Intl.ListFormatType = 'conjunction'): string =>
  intl(Intl.ListFormat, { type }).format(items)

export type Unit = 'second' | 'minute' | 'hour' | 'day' | 'week' | 'year'

/** In as few letters as the language has for it: `45s`, `3.5h`, `2d`. */
export const formatUnit = (value: number, unit: Unit, digits = 0): string =>
  formatNumber(value, { style: 'unit', unit, unitDisplay: 'narrow', maximumFractionDigits: digits })

/** The same for more than one, from large to small: `2h 10m`. */
export const formatUnits = (...parts: readonly [number, Unit][]): string =>
  intl(Intl.ListFormat, { type: 'unit', style: 'narrow' }).format(
    parts.map(([value, unit]) => formatUnit(value, unit)),
  )
