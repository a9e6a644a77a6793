import { I18nProvider } from '@lingui/react'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { Direction } from 'radix-ui'
import { useEffect } from 'react'
import { ManualCopy } from '@/components/copy-button'
import { TooltipProvider } from '@/components/tooltip'
import { getDirection, i18n, useLanguage } from '@/lib/i18n'
import { onKeyDown } from '@/lib/shortcuts'
import { allowLibraryStyles } from './nonce'
import { queryClient } from './query-client'
import { router } from './router'

allowLibraryStyles()

export function App() {
  const language = useLanguage()
  useEffect(() => {
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
  return (
    // Remounts the app when the language changes: not everything that creates texts subscribes to the change.
    <I18nProvider key={language} i18n={i18n}>
      <Direction.Provider dir={getDirection(language)}>
        <QueryClientProvider client={queryClient}>
          <TooltipProvider delayDuration={400} skipDelayDuration={100}>
            <RouterProvider router={router} />
            <ManualCopy />
          </TooltipProvider>
        </QueryClientProvider>
      </Direction.Provider>
    </I18nProvider>
  )
}
