import { useNavigate } from '@tanstack/react-router'
import { CircleUserRound, Keyboard, LogOut } from 'lucide-react'
import { useMe, useSignOut } from '@/api/session'
import { useChoose } from '@/api/settings/profile'
import { Avatar } from '@/components/avatar'
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuSeparator } from '@/components/menu'
import { classes } from '@/lib/classes'

const THEMES = [
  { id: 'system', label: 'As the device' },
  { id: 'light', label: 'Light' },
  { id: 'dark', label: 'Dark' },
] as const

/** Who is signed in, and what is theirs. */
export function PersonMenu({ isNarrow = false, onHelp }: { isNarrow?: boolean; onHelp: () => void }) {
  const me = useMe()
  const signOut = useSignOut()
  const choose = useChoose()
  const navigate = useNavigate()
  const name = me.user.name || me.user.email
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          aria-label={isNarrow ? `${name}: profile, theme, sign out` : undefined}
          className={classes(
            'flex h-9 min-w-0 items-center gap-2 rounded-md px-1.5 text-left hover:bg-line/60 max-lg:h-11',
            !isNarrow && 'flex-1',
          )}
        >
          <Avatar name={name} />
          {!isNarrow && <span className="min-w-0 flex-1 truncate">{name}</span>}
        </button>
      }
    >
      <MenuLabel>{me.user.email}</MenuLabel>
      <MenuItem
        icon={<CircleUserRound size={14} />}
        onSelect={() => navigate({ to: '/settings/$section', params: { section: 'profile' } })}
      >
        Profile
      </MenuItem>
      <MenuItem icon={<Keyboard size={14} />} keys="?" onSelect={onHelp}>
        Keyboard shortcuts
      </MenuItem>
      <MenuSeparator />
      <MenuLabel>Theme</MenuLabel>
      <MenuChoice
        value={me.preferences.theme}
        onChange={theme => choose.mutate({ theme })}
        options={THEMES}
      />
      <MenuSeparator />
      <MenuItem icon={<LogOut size={14} />} onSelect={() => signOut.mutate()}>
        Sign out
      </MenuItem>
    </Menu>
  )
}
