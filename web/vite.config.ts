import { lingui, linguiTransformerBabelPreset } from '@lingui/vite-plugin'
import babel from '@rolldown/plugin-babel'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { compileMessages } from './compile-messages.ts'

const service = process.env.SIGNOFF_URL ?? 'http://127.0.0.1:8080'

export default defineConfig({
  // The service may be below a proxy's path, so every URL is relative to the page's <base>.
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
    // Files are served under a strict policy, which doesn't allow inlined data URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The open inbox needs three files: many small ones, compressed separately, are larger in total.
    rolldownOptions: {
      output: {
        // The entry names all other files, and compression can't shorten their hashes.
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
    // On a busy machine a test can take longer than the default 5 seconds; a hanging test still fails.
    testTimeout: 60_000,
    // Isolating each file would triple the time; the random order reveals leaks between tests.
    pool: 'threads',
    isolate: false,
    sequence: { shuffle: true },
  },
})
