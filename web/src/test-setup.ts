import { afterEach } from 'vitest'
import '@/lib/i18n'

if (typeof document !== 'undefined') {
  const { cleanup } = await import('@testing-library/react')
  afterEach(cleanup)
}
