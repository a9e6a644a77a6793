/**
 * Writes a catalog for layout tests to standard output: every message with accents, and 40% longer. It replaces a
 * language's catalog in the test's browser only.
 */

import { createCompiledCatalog, getCatalogs } from '@lingui/cli/api'
import { getConfig } from '@lingui/conf'

const config = getConfig()
const messages: Record<string, string> = {}
for (const catalog of await getCatalogs(config)) {
  const english = await catalog.getTranslations('en', {
    sourceLocale: 'en',
    fallbackLocales: config.fallbackLocales,
    missingBehavior: 'resolved',
  })
  Object.assign(messages, english.messages)
}
const { source } = createCompiledCatalog('pseudo', messages, {
  namespace: 'es',
  pseudoLocale: 'pseudo',
})
// The library pads with spaces, which pages don't show.
process.stdout.write(source.replaceAll(/[àēĩōũ]/g, '$&$&'))
