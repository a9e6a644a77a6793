import { expect, it } from 'vitest'

const sources = import.meta.glob<string>(['./**/*.tsx', '!./**/*.test.*'], {
  query: '?raw',
  import: 'default',
  eager: true,
})

it.each(Object.entries(sources).filter(([, text]) => text.includes("from 'lucide-react'")))(
  '%s uses the named sizes of icons',
  (_, text) => {
    expect(text.match(/\bsize=\{/g)).toBeNull()
  },
)
