import type { Json, Media } from '@/form'

const WORDS = 'Pictures and videos are copied when a review is made, and shown then.'

/** Nothing is fetched for a preview: every address in it says so, rather than waiting for a copy for ever. */
export function notCopied(values: Readonly<Record<string, unknown>>): Media {
  const urls = new Set<string>()
  const look = (value: Json) => {
    if (typeof value === 'string') {
      if (/^https?:/.test(value)) urls.add(value)
    } else if (typeof value === 'object' && value !== null) {
      for (const inner of Object.values(value)) look(inner)
    }
  }
  look(values as Json)
  return { notices: [...urls].map(url => ({ url, message: WORDS })) }
}
