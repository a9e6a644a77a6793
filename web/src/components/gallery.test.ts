import { expect, it } from 'vitest'
import gallery from '../../dev/components.tsx?raw'

/** They look like what they're given. */
const WITHOUT_LOOKS = ['./lazy.tsx', './optional-part.tsx', './language-select.tsx']

const components = Object.keys(import.meta.glob(['./*.tsx', '!./*.test.tsx'])).filter(
  path => !WITHOUT_LOOKS.includes(path),
)

it.each(components)('the gallery shows %s', path => {
  expect(gallery).toContain(`from '@/components/${path.slice('./'.length, -'.tsx'.length)}'`)
})
