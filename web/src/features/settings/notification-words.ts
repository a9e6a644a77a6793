/** How mails about reviews are spoken of, in one's own settings and in the workspace's. */

import type { Schemas } from '@/api/client'
import type { Preferences } from '@/api/settings/profile'

export type MailChoice = Preferences['email']

export const MAIL_CHOICES = ['each', 'hourly', 'daily', 'none'] as const satisfies readonly MailChoice[]

export const MAIL_WORDS: Record<MailChoice, string> = {
  each: 'For each review',
  hourly: 'Together, once an hour',
  daily: 'Together, once a day',
  none: 'None',
}

export const HOURS = Array.from({ length: 24 }, (_, hour) => hour)

export const hourWords = (hour: number): string => `${String(hour).padStart(2, '0')}:00`

/** When the next mail comes, as one's choices are. */
export function nextMailWords(next: Schemas['NextMail'], now: Date = new Date()): string {
  const parts: string[] = []
  if (next.newsAt)
    parts.push(`Something waits for you already: a mail comes ${when(next.newsAt, next.timeZone, now)}.`)
  else if (next.each)
    parts.push(`A mail comes ${afterWords(next.collectSeconds)} a review asks you; several become one.`)
  if (next.digestAt)
    parts.push(
      `The next ${next.digest} mail comes ${when(next.digestAt, next.timeZone, now)} (${next.timeZone.replaceAll('_', ' ')}), if something waits then.`,
    )
  return parts.join(' ') || 'You get no mails about reviews.'
}

const afterWords = (seconds: number): string =>
  seconds < 60
    ? `about ${Math.max(1, Math.round(seconds))} seconds after`
    : `about ${Math.round(seconds / 60)} minutes after`

function when(at: string, timeZone: string, now: Date): string {
  const day = new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeZone })
  const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'short', timeZone }).format(new Date(at))
  const days = [now, new Date(now.getTime() + 86_400_000)].map(each => day.format(each))
  const index = days.indexOf(day.format(new Date(at)))
  if (index === 0) return `today at ${time}`
  if (index === 1) return `tomorrow at ${time}`
  return `on ${day.format(new Date(at))} at ${time}`
}
