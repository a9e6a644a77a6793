import { t } from '@lingui/core/macro'
import { Languages } from 'lucide-react'
import { chooseLanguage, type Language, useLanguage } from '@/lib/i18n'
import { LanguageOptions, useFocusAfterLanguageChange } from './language-select'

/** The language menu in the footer of pages for people without a profile. Their browser remembers the choice. */
export function LanguageChooser() {
  const language = useLanguage()
  const { select, keepFocus } = useFocusAfterLanguageChange()
  const choose = (chosen: Language) => {
    keepFocus(chosen)
    void chooseLanguage(chosen)
  }
  return (
    <label className="inline-flex items-center gap-1.5 text-muted text-sm">
      <Languages className="icon-small" />
      <span className="sr-only">{t`Language`}</span>
      <select
        ref={select}
        value={language}
        onChange={event => choose(event.target.value as Language)}
        className="field-sizing-content rounded-sm bg-canvas py-1 hover:text-ink pointer-coarse:min-h-11"
      >
        <LanguageOptions />
      </select>
    </label>
  )
}
