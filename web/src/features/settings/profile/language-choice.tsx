import { t } from '@lingui/core/macro'
import { languageOf, type Me } from '@/api/session'
import { useChangeProfile } from '@/api/settings/profile'
import { Labelled, NativeSelect } from '@/components/input'
import { LanguageOptions, useKeptFocus } from '@/components/language-select'
import { type Language, setLanguage } from '@/lib/i18n'
import { LANGUAGE_NAMES } from '@/lib/language-names'

export function LanguageChoice({ me }: { me: Me }) {
  const change = useChangeProfile()
  const { select, keepFocus } = useKeptFocus()
  const choose = (chosen: Language | '') =>
    change.mutate(
      { language: chosen || null },
      {
        onSuccess: changed => {
          const language = languageOf(changed)
          keepFocus(language)
          void setLanguage(language)
        },
      },
    )
  const unchosen = LANGUAGE_NAMES[languageOf({ ...me, user: { ...me.user, language: null } })]
  return (
    <Labelled
      label={t`Language`}
      help={t`Also used for emails and messages to you.`}
      error={change.error?.message}
    >
      {ties => (
        <NativeSelect
          {...ties}
          ref={select}
          value={(change.isPending ? change.variables.language : me.user.language) ?? ''}
          onChange={event => choose(event.target.value as Language | '')}
        >
          <option value="">
            {me.account.language
              ? t`Workspace default (${{ language: unchosen }})`
              : t`Same as browser (${{ language: unchosen }})`}
          </option>
          <LanguageOptions />
        </NativeSelect>
      )}
    </Labelled>
  )
}
