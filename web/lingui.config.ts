import { defineConfig } from '@lingui/conf'
import { formatter } from '@lingui/format-po'

export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'de', 'fr', 'es', 'pt-BR', 'ja', 'zh-Hans', 'ar'],
  catalogs: [
    {
      // `make check` extracts into a folder of its own, and compares.
      path: `${process.env.CATALOGS ?? '<rootDir>/src/locales'}/{locale}`,
      include: ['<rootDir>/src'],
      exclude: ['**/*.test.*'],
    },
  ],
  // Where a message is used can be searched for; written down it would change with every move.
  format: formatter({ origins: false }),
  orderBy: 'message',
})
