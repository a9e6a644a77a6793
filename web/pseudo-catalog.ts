/**
 * Writes a catalog for tests of the layout to standard output: every message with accents, and 40 % longer. It takes the
 * place of a language's own in the test's browser; nobody else gets to see it.
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
// The library's own padding is spaces, which pages don't show.
process.stdout.write(source.replaceAll(/[àēĩōũ]/g, '$&$&'))
