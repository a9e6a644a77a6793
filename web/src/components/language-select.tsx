import { useEffect, useRef } from 'react'
import { LANGUAGES, type Language, useLanguage } from '@/lib/i18n'
import { LANGUAGE_NAMES } from '@/lib/language-names'

/** Every language by its own name. */
export const LanguageOptions = () =>
  LANGUAGES.map(language => (
    <option key={language} value={language} lang={language} dir="auto">
      {LANGUAGE_NAMES[language]}
    </option>
  ))

let hasChosen = false

/** For the language menu: the page remounts in the new language, and focus returns to the menu. */
export function useFocusAfterLanguageChange() {
  const language = useLanguage()
  const select = useRef<HTMLSelectElement>(null)
  useEffect(() => {
    if (hasChosen) select.current?.focus()
    hasChosen = false
  }, [])
  const keepFocus = (next: Language) => {
    hasChosen = next !== language
  }
  return { select, keepFocus }
}
