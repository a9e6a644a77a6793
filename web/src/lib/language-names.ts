import { i18n, intl, type Language } from './i18n'

/** Each by its own name. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  'pt-BR': 'Português (Brasil)',
  ja: '日本語',
  'zh-Hans': '简体中文',
  ar: 'العربية',
}

/** The name of a language in that of the page, as a standalone word. */
export function languageLabel(language: string): string {
  const name = intl(Intl.DisplayNames, { type: 'language' }).of(language) ?? language
  return name.charAt(0).toLocaleUpperCase(i18n.locale) + name.slice(1)
}
