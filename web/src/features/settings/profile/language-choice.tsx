import { t } from '@lingui/core/macro'
import { getLanguage, type Me } from '@/api/session'
import { useUpdateProfile } from '@/api/settings/profile'
import { LabeledField, NativeSelect } from '@/components/input'
import { LanguageOptions, useFocusAfterLanguageChange } from '@/components/language-select'
import { type Language, setLanguage } from '@/lib/i18n'
import { LANGUAGE_NAMES } from '@/lib/language-names'

export function LanguageChoice({ me }: { me: Me }) {
  const change = useUpdateProfile()
  const { select, keepFocus } = useFocusAfterLanguageChange()
  const choose = (chosen: Language | '') =>
    change.mutate(
      { language: chosen || null },
      {
        onSuccess: changed => {
          const language = getLanguage(changed)
          keepFocus(language)
          void setLanguage(language)
        },
      },
    )
  const unchosen = LANGUAGE_NAMES[getLanguage({ ...me, user: { ...me.user, language: null } })]
  return (
    <LabeledField
      label={t`Language`}
      help={t`Also used for emails to you and for messages in Slack that only you can see.`}
      error={change.error?.message}
    >
      {attributes => (
        <NativeSelect
          {...attributes}
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
    </LabeledField>
  )
}
