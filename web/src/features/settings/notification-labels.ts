/** How emails about reviews are described, in the profile and in the workspace settings. */

import { plural, t } from '@lingui/core/macro'
import type { Schemas } from '@/api/client'
import type { Preferences } from '@/api/settings/profile'
import { intl } from '@/lib/i18n'

export type MailChoice = Preferences['email']

export const MAIL_CHOICES = ['each', 'hourly', 'daily', 'none'] as const satisfies readonly MailChoice[]

/** Getters, so that each text is in the language of the page. */
export const MAIL_LABELS: Readonly<Record<MailChoice, string>> = {
  get each() {
    return t`For each review`
  },
  get hourly() {
    return t`Hourly digest`
  },
  get daily() {
    return t`Daily digest`
  },
  get none() {
    return t({ message: 'Never', context: 'how often emails are sent' })
  },
}

export const HOURS = Array.from({ length: 24 }, (_, hour) => hour)

/** A full hour as the language writes it: `9:00 AM`, `09:00`. */
export const formatHour = (hour: number): string =>
  intl(Intl.DateTimeFormat, { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' }).format(
    Date.UTC(2000, 0, 1, hour),
  )

/** When the next email is sent, with the current preferences. */
export function getNextMailText(next: Schemas['NextMail'], now: Date = new Date()): string {
  const sentences: string[] = []
  if (next.newsAt)
    sentences.push(
      t`You have pending reviews. Next email: ${{ when: formatNextMailTime(next.newsAt, next.timeZone, now) }}.`,
    )
  else if (next.each) sentences.push(getScheduleText(next.collectSeconds))
  if (next.digestAt) {
    const at = formatNextMailTime(next.digestAt, next.timeZone, now)
    const timeZone = next.timeZone.replaceAll('_', ' ')
    sentences.push(
      next.digest === 'hourly'
        ? t`Next hourly digest: ${{ when: at }} (${timeZone}), if you have pending reviews.`
        : t`Next daily digest: ${{ when: at }} (${timeZone}), if you have pending reviews.`,
    )
  }
  return sentences.join(' ') || t`You don't get emails about reviews.`
}

function getScheduleText(seconds: number): string {
  if (seconds < 60)
    return plural(
      { count: Math.max(1, Math.round(seconds)) },
      {
        one: 'About # second after a review needs your decision, you get an email. Reviews that arrive together are grouped in one email.',
        other:
          'About # seconds after a review needs your decision, you get an email. Reviews that arrive together are grouped in one email.',
      },
    )
  return plural(
    { count: Math.round(seconds / 60) },
    {
      one: 'About # minute after a review needs your decision, you get an email. Reviews that arrive together are grouped in one email.',
      other:
        'About # minutes after a review needs your decision, you get an email. Reviews that arrive together are grouped in one email.',
    },
  )
}

function formatNextMailTime(at: string, timeZone: string, now: Date): string {
  // The Swedish format can be compared: 2026-11-15.
  const day = new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeZone })
  const moment = new Date(at)
  const time = intl(Intl.DateTimeFormat, { timeStyle: 'short', timeZone }).format(moment)
  if (day.format(moment) === day.format(now)) return t`today at ${time}`
  if (day.format(moment) === day.format(now.getTime() + 86_400_000)) return t`tomorrow at ${time}`
  const date = intl(Intl.DateTimeFormat, { dateStyle: 'medium', timeZone }).format(moment)
  return t`${date} at ${time}`
}
