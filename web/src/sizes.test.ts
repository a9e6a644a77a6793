import { describe, expect, it } from 'vitest'

const sources = Object.entries(
  import.meta.glob<string>(['./**/*.tsx', '!./**/*.test.*'], {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
)

/** A target of 44 pixels on a small screen. What matters is the pointer: `pointer-coarse:`, which buttons and fields have. */
const TOUCH_SIZE = /\bmax-(?:sm|md|lg):(?:(?:min-)?[hw]|size)-11\b/g

describe('sizes', () => {
  it.each(sources.filter(([, text]) => text.includes("from 'lucide-react'")))(
    '%s uses the named sizes of icons',
    (_, text) => {
      expect(text.match(/\bsize=\{/g)).toBeNull()
    },
  )
  it.each(sources)("%s doesn't take a small screen for a touchscreen", (_, text) => {
    expect(text.match(TOUCH_SIZE)).toBeNull()
  })
})
