import { defineConfig } from '@lingui/conf'
import { formatter } from '@lingui/format-po'

export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'de', 'fr', 'es', 'pt-BR', 'ja', 'zh-Hans', 'ar'],
  catalogs: [
    {
      // `make check` extracts into a separate folder and compares.
      path: `${process.env.CATALOGS ?? '<rootDir>/src/locales'}/{locale}`,
      include: ['<rootDir>/src'],
      exclude: ['**/*.test.*'],
    },
  ],
  // Without origins: they would change whenever code moves, and a search finds them too.
  format: formatter({ origins: false }),
  orderBy: 'message',
})
