/** The language of the page, and its formats for numbers and lists. */

import { i18n, type Messages } from '@lingui/core'
import { useSyncExternalStore } from 'react'
import { checkForNewVersion } from './new-version'
import { readSetting, storeSetting } from './stored-settings'

export { i18n }

export const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt-BR', 'ja', 'zh-Hans', 'ar'] as const
export type Language = (typeof LANGUAGES)[number]

const catalogs = import.meta.glob<{ messages: Messages }>(['../locales/*.po', '!../locales/en.po'])

/** The last language of the page, so that the next page starts in it. */
const LAST_LANGUAGE_KEY = 'signoff.language'
/** The language chosen in this browser without signing in. */
const CHOSEN_LANGUAGE_KEY = 'signoff.browser-language'

let wanted: Language = 'en'

/** Switches the page to a language. If its catalog can't be loaded, the page keeps the current one. */
export async function setLanguage(language: Language): Promise<void> {
  wanted = language
  try {
    const catalog = await catalogs[`../locales/${language}.po`]?.()
    // While this catalog was loading, another language may have been chosen.
    if (wanted !== language || i18n.locale === language) return
    activate(language, catalog?.messages ?? {})
    document.documentElement.lang = language
    document.documentElement.dir = getDirection(language)
    storeSetting(LAST_LANGUAGE_KEY, language)
  } catch {
    // No connection, or a newer build removed the file.
    void checkForNewVersion()
  }
}

function activate(language: Language, messages: Messages): void {
  i18n.loadAndActivate({ locale: language, locales: getRegionalTags(language), messages })
}

export const getDirection = (language: string): 'ltr' | 'rtl' => (language === 'ar' ? 'rtl' : 'ltr')

/** Whether text runs from the right, so that directional icons are mirrored. */
export const isRightToLeft = (): boolean => getDirection(i18n.locale) === 'rtl'

export const useLanguage = (): string =>
  useSyncExternalStore(
    listener => i18n.on('change', listener),
    () => i18n.locale,
  )

/** The supported language for a tag such as `de-AT` or `zh-CN`. */
export const matchLanguage = (tag: unknown): Language | undefined =>
  LANGUAGES.find(language => getPrimaryTag(language) === getPrimaryTag(String(tag)))

const getPrimaryTag = (tag: string) => tag.split('-', 1)[0]?.toLowerCase()

/** The language for someone who hasn't chosen one in a profile. */
export const getBrowserLanguage = (): Language =>
  matchLanguage(readSetting(CHOSEN_LANGUAGE_KEY)) ??
  requested ??
  navigator.languages.map(matchLanguage).find(language => language !== undefined) ??
  'en'

let requested: Language | undefined

/** Switches to the language of the content, unless another was chosen in this browser. */
export function requestLanguage(language: Language | undefined): Promise<void> {
  requested = language
  return setLanguage(getBrowserLanguage())
}

/** Saves the choice in this browser, for someone who hasn't signed in. */
export function chooseLanguage(language: Language): Promise<void> {
  storeSetting(CHOSEN_LANGUAGE_KEY, language)
  return setLanguage(language)
}

export const getLastLanguage = (): Language =>
  matchLanguage(readSetting(LAST_LANGUAGE_KEY)) ?? getBrowserLanguage()

/**
 * The regional variants of a language in the browser's settings, such as `en-GB`: they decide how dates and numbers are
 * formatted.
 */
function getRegionalTags(language: Language): string[] {
  const preferred = typeof navigator === 'undefined' ? [] : navigator.languages
  return [...preferred.filter(tag => matchLanguage(tag) === language), language]
}

/** English texts are in the code, as Lingui's macros require, and need no catalog. */
activate('en', {})

/** For everything in `Intl`. */
export const locales = (): Intl.LocalesArgument => i18n.locales ?? i18n.locale

const formats = new Map<string, unknown>()

/** A formatter of `Intl` for the page's language. Creating one is slow, so they are cached. */
export function intl<Options, Format>(
  Kind: new (locales: Intl.LocalesArgument, options: Options) => Format,
  options?: Options,
): Format {
  const key = `${Kind.name} ${String(locales())} ${JSON.stringify(options)}`
  const format = (formats.get(key) as Format | undefined) ?? new Kind(locales(), options as Options)
  formats.set(key, format)
  return format
}

export const formatNumber = (value: number, options?: Intl.NumberFormatOptions): string =>
  intl(Intl.NumberFormat, options).format(value)

/** Formats a fraction: `0.5` is `50%`. */
export const formatPercent = (part: number, digits = 0): string =>
  formatNumber(part, { style: 'percent', maximumFractionDigits: digits })

/** `One, two, and three`; with `disjunction` `one, two, or three`. */
export const formatList = (items: Iterable<string>, type: Intl.ListFormatType = 'conjunction'): string =>
  intl(Intl.ListFormat, { type }).format(items)

export type Unit = 'second' | 'minute' | 'hour' | 'day' | 'week' | 'year'

/** The narrow forms of these languages use English letters: `3h` next to `3 Min.`. */
const SHORT_UNITS: readonly string[] = ['de', 'ja']

/** In the language's narrowest form: `45s`, `3.5h`, `2d`. */
export const formatUnit = (value: number, unit: Unit, digits = 0): string =>
  formatNumber(value, {
    style: 'unit',
    unit,
    unitDisplay: SHORT_UNITS.includes(i18n.locale) ? 'short' : 'narrow',
    maximumFractionDigits: digits,
  })

/** The same for several units, from large to small: `2h 10m`. */
export const formatUnits = (...parts: readonly [number, Unit][]): string =>
  intl(Intl.ListFormat, { type: 'unit', style: 'narrow' }).format(
    parts.map(([value, unit]) => formatUnit(value, unit)),
  )

/** A message of the service as a sentence: it's written to follow a field's name, such as `must not be empty`. */
export const toSentence = (message: string): string =>
  `${message.charAt(0).toUpperCase()}${message.slice(1)}${/[.!?。！？؟]$/.test(message) ? '' : getPeriod(message)}`

/** In the script of the message, whatever the language of the page. */
const getPeriod = (message: string) =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u.test(message) ? '。' : '.'
