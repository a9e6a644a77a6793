import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from '@/app/app'
import { getLastLanguage, setLanguage } from '@/lib/i18n'
import '@/app/theme.css'

async function start(place: HTMLElement) {
  await setLanguage(getLastLanguage())
  createRoot(place).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}

const place = document.getElementById('app')
if (place) void start(place)
