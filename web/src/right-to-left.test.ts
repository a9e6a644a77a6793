import { describe, expect, it } from 'vitest'

const sources = import.meta.glob<string>(['./**/*.{ts,tsx}', '!./**/*.test.*', '!./api/schema.d.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
})
const styles = import.meta.glob<string>('./**/*.css', { query: '?raw', import: 'default', eager: true })

/** Classes that name a side of the screen, which is wrong in right-to-left languages. */
const PHYSICAL_CLASS =
  /(?<![\w-])(?:[\w-[\]=/.&:]+:)?-?(?:(?:ml|mr|pl|pr|left|right|scroll-m[lr]|scroll-p[lr])-[\w[(]|(?:text|float|clear|object|origin)-(?:left|right)\b|border-[lr](?:-|\b)|rounded-(?:[lr]|[tb][lr])(?:-|\b)|bg-(?:linear|gradient)-to-[lr]\b|translate-x-)[^\s'"`]*/g

const PHYSICAL_STYLE =
  /(?<![\w-])(?:(?:margin|padding|border)-(?:left|right)|left|right|(?:text-align|float|clear):\s*(?:left|right))\s*[:;]/g

const PHYSICAL_MEMBER = /\b(?:margin|padding|border)(?:Left|Right)\b|(?<=style=\{\{[^}]*)\b(?:left|right):/g

/** Exceptions: mirrored by another class, or a position in a chart, which is the same in every language. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  './features/insights/charts/readout.tsx': ['right:', 'left:'],
  './components/switch.tsx': [
    'translate-x-0.5',
    'data-[state=checked]:translate-x-4.5',
    'rtl:-translate-x-0.5',
    'rtl:data-[state=checked]:-translate-x-4.5',
  ],
}

describe('nothing is on a side of the screen that', () => {
  it.each(Object.entries(sources))('%s names', (path, text) => {
    const code = text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    const strings = [...code.matchAll(/'[^'\n]*'|"[^"\n]*"|`[^`]*`/g)].map(([string]) => string).join('\n')
    const found = [...strings.matchAll(PHYSICAL_CLASS), ...code.matchAll(PHYSICAL_MEMBER)].map(
      ([name]) => name,
    )
    expect(found.filter(name => !ALLOWED[path]?.includes(name))).toEqual([])
  })
  it.each(Object.entries(styles))('%s names', (_, text) => {
    // Inside a fixed direction, a side means the same in every language.
    const rules = text.replaceAll(/\{[^{}]*direction: ltr;[^{}]*\}/g, '')
    expect(rules.match(PHYSICAL_STYLE)).toBeNull()
  })
})
