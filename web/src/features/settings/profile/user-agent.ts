import { t } from '@lingui/core/macro'

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/(Chrome|Chromium|CriOS)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
  [/curl\//, 'curl'],
]

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]

const findFirst = (names: typeof BROWSERS, text: string) => names.find(([pattern]) => pattern.test(text))?.[1]

/** The common name of a browser; an unknown client is shown by its own name. */
export function getBrowserName(userAgent: string | null | undefined): string {
  if (!userAgent) return t`Unknown browser`
  const browser = findFirst(BROWSERS, userAgent)
  const system = findFirst(SYSTEMS, userAgent)
  if (browser && system) return t`${browser} on ${system}`
  return browser ?? userAgent.slice(0, 80)
}
