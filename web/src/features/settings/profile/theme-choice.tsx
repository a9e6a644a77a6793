import { msg, t } from '@lingui/core/macro'
import { Monitor, Moon, Sun } from 'lucide-react'
import { RadioGroup } from 'radix-ui'
import type { Preferences } from '@/api/settings/profile'
import { i18n } from '@/lib/i18n'

const THEMES = [
  {
    id: 'system',
    label: msg({ message: 'System', comment: 'Theme: follow the device setting', context: 'theme' }),
    icon: Monitor,
  },
  { id: 'light', label: msg({ message: 'Light', context: 'theme' }), icon: Sun },
  { id: 'dark', label: msg({ message: 'Dark', context: 'theme' }), icon: Moon },
] as const

type Theme = Preferences['theme']

export function ThemeChoice({ theme, onChange }: { theme: Theme; onChange: (theme: Theme) => void }) {
  return (
    <div className="flex flex-col gap-1">
      <span id="theme-label" className="font-medium text-sm">
        {t`Theme`}
      </span>
      <RadioGroup.Root
        aria-labelledby="theme-label"
        value={theme}
        onValueChange={chosen => onChange(chosen as Theme)}
        className="grid grid-cols-3 gap-px overflow-hidden rounded-md border border-line-strong/60 bg-line"
      >
        {THEMES.map(({ id, label, icon: Icon }) => (
          <RadioGroup.Item
            key={id}
            value={id}
            className="flex h-8 items-center justify-center gap-2 bg-surface text-muted -outline-offset-2 data-[state=checked]:bg-selected data-[state=checked]:font-medium data-[state=checked]:text-ink pointer-coarse:min-h-11 max-md:text-sm"
          >
            <Icon className="icon-small" />
            {i18n._(label)}
          </RadioGroup.Item>
        ))}
      </RadioGroup.Root>
    </div>
  )
}
