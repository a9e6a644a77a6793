/**
 * Writes the catalog of field types, which is part of the OpenAPI document, as modules. Settings have a module of their
 * own: showing a review doesn't need them, so they aren't loaded with the first page.
 */

import { readFileSync, writeFileSync } from 'node:fs'

const [source = '', folder] = process.argv.slice(2)
const types = Object.entries<{ settings: object }>(JSON.parse(readFileSync(source, 'utf8'))['x-field-types'])

function write(file: string, name: string, entries: [string, object][]) {
  const lines = entries.map(([type, entry]) => `  ${type}: ${JSON.stringify(entry)},\n`)
  writeFileSync(
    `${folder}/${file}.ts`,
    `/** Written by \`make types\`. */\nexport const ${name} = {\n${lines.join('')}} as const\n`,
  )
}

write(
  'field-types',
  'FIELD_TYPES',
  types.map(([type, { settings: _, ...traits }]) => [type, traits]),
)
write(
  'field-settings',
  'FIELD_SETTINGS',
  types.map(([type, { settings }]) => [type, settings]),
)
