import { t } from '@lingui/core/macro'
import { useNavigate } from '@tanstack/react-router'
import { CircleUserRound, Keyboard, LogOut } from 'lucide-react'
import { useMe, useSignOut } from '@/api/session'
import { useUpdatePreferences } from '@/api/settings/profile'
import { Avatar } from '@/components/avatar'
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuSeparator } from '@/components/menu'
import { classes } from '@/lib/classes'

/** The signed-in member's menu. */
export function UserMenu({ isNarrow = false, onHelp }: { isNarrow?: boolean; onHelp: () => void }) {
  const me = useMe()
  const signOut = useSignOut()
  const choose = useUpdatePreferences()
  const navigate = useNavigate()
  const name = me.user.name || me.user.email
  const themes = [
    { id: 'system', label: t({ message: 'System', context: 'theme' }) },
    { id: 'light', label: t({ message: 'Light', context: 'theme' }) },
    { id: 'dark', label: t({ message: 'Dark', context: 'theme' }) },
  ] as const
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          aria-label={isNarrow ? t`Account menu for ${name}` : undefined}
          className={classes(
            'flex h-9 min-w-0 items-center gap-2 rounded-md px-1.5 text-start hover:bg-line/60 pointer-coarse:min-h-11',
            !isNarrow && 'flex-1',
          )}
        >
          <Avatar name={name} />
          {!isNarrow && (
            <span dir="auto" className="min-w-0 flex-1 truncate">
              {name}
            </span>
          )}
        </button>
      }
    >
      <MenuLabel>{me.user.email}</MenuLabel>
      <MenuItem
        icon={<CircleUserRound />}
        onSelect={() => navigate({ to: '/settings/$section', params: { section: 'profile' } })}
      >
        {t`Profile`}
      </MenuItem>
      <MenuItem icon={<Keyboard />} keys="?" onSelect={onHelp}>
        {t`Keyboard shortcuts`}
      </MenuItem>
      <MenuSeparator />
      <MenuLabel>{t`Theme`}</MenuLabel>
      <MenuChoice
        value={me.preferences.theme}
        onChange={theme => choose.mutate({ theme })}
        options={themes}
      />
      <MenuSeparator />
      <MenuItem icon={<LogOut />} onSelect={() => signOut.mutate()}>
        {t`Sign out`}
      </MenuItem>
    </Menu>
  )
}
