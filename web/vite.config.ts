import { lingui, linguiTransformerBabelPreset } from '@lingui/vite-plugin'
import babel from '@rolldown/plugin-babel'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { compileMessages } from './compile-messages.ts'

const service = process.env.SIGNOFF_URL ?? 'http://127.0.0.1:8080'

export default defineConfig({
  // The service may lie below a proxy's path: every address is relative to the page's <base>.
  base: './',
  plugins: [
    react(),
    lingui({ failOnCompileError: true }),
    babel({ presets: [linguiTransformerBabelPreset({ descriptorFields: 'message' }), compileMessages] }),
    tailwind(),
  ],
  build: {
    outDir: '../src/signoff/pages/app',
    emptyOutDir: true,
    assetsDir: 'static',
    // Files are served under a strict policy: nothing is inlined as a data address.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // What an open inbox needs is three files: many small ones are larger together, each compressed by itself.
    rolldownOptions: {
      output: {
        // The entry names all the others, and hashes are all that compression can't shorten.
        chunkFileNames: 'static/[name]-[hash:7].js',
        codeSplitting: {
          groups: [
            {
              name: 'base',
              test: /node_modules\/(react|react-dom|scheduler|use-sync-external-store|openapi-fetch|@tanstack\/(?!.*virtual).*)\//,
            },
            { name: 'app', tags: ['$initial'] },
            { name: 'pane', test: /features\/review\/review-pane\.tsx$/ },
          ],
        },
      },
    },
  },
  resolve: { alias: { '@': new URL('./src', import.meta.url).pathname } },
  server: { proxy: { '/api': service, '/media': service } },
  test: {
    include: ['src/**/*.test.{ts,tsx}'],
    environment: 'node',
    setupFiles: ['src/test-setup.ts'],
    // On a busy machine a test takes longer than the usual 5 seconds; what hangs is still found.
    testTimeout: 60_000,
    // A world of its own for each file would take three times as long as the tests; the order shows what leaks.
    pool: 'threads',
    isolate: false,
    sequence: { shuffle: true },
  },
})
