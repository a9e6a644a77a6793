import { describe, expect, it } from 'vitest'

/** Lowest first: a file imports from its own layer and those below. Features don't import each other. */
const LAYERS = ['lib', 'api', 'components', 'form', 'features', 'app']

const sources = import.meta.glob<string>('./**/*.{ts,tsx}', { query: '?raw', import: 'default', eager: true })

type Place = { layer: string; feature: string | undefined }

function placeOf(path: string): Place {
  const [layer = '', feature] = path.split('/')
  return { layer, feature: layer === 'features' ? feature : undefined }
}

/** The target of an import, relative to the source root; undefined for packages. */
function resolve(from: string, target: string): string | undefined {
  if (target.startsWith('@/')) return target.slice(2)
  if (!target.startsWith('.')) return undefined
  const parts = from.split('/').slice(0, -1)
  for (const part of target.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.') parts.push(part)
  }
  return parts.join('/')
}

function mayKnow(from: Place, to: Place): boolean {
  if (to.feature !== undefined && from.feature !== undefined) return from.feature === to.feature
  return LAYERS.indexOf(to.layer) <= LAYERS.indexOf(from.layer)
}

const files = Object.entries(sources)
  .map(([path, text]) => [path.slice(2), text] as const)
  .filter(([path]) => path.includes('/') && !path.endsWith('.d.ts'))

describe('layers', () => {
  it('are all known', () => {
    expect(files.length).toBeGreaterThan(10)
    for (const [path] of files) expect(LAYERS, path).toContain(placeOf(path).layer)
  })

  it.each(files)('%s imports from below only', (path, text) => {
    for (const [, target = ''] of text.matchAll(/(?:from|import\()\s*'([^']+)'/g)) {
      const led = resolve(path, target)
      if (led !== undefined)
        expect(mayKnow(placeOf(path), placeOf(led)), `${path} imports ${target}`).toBe(true)
    }
  })
})
