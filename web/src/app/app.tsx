import { I18nProvider } from '@lingui/react'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ManualCopy } from '@/components/copy'
import { TooltipProvider } from '@/components/tooltip'
import { i18n } from '@/lib/i18n'
import { onKeyDown } from '@/lib/shortcuts'
import { allowLibraryStyles } from './nonce'
import { queryClient } from './query-client'
import { router } from './router'

allowLibraryStyles()

export function App() {
  useEffect(() => {
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
  return (
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <TooltipProvider delayDuration={400} skipDelayDuration={100}>
          <RouterProvider router={router} />
          <ManualCopy />
        </TooltipProvider>
      </QueryClientProvider>
    </I18nProvider>
  )
}
