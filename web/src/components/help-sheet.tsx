import { t } from '@lingui/core/macro'
import { type Shortcut, useActiveShortcuts } from '@/lib/shortcuts'
import { Dialog } from './dialog'
import { ShortcutKeys } from './shortcut-keys'

type Props = {
  onClose: () => void
  /** Single-key shortcuts can be turned off in the profile. */
  isSwitchedOff: boolean
}

/** Every shortcut that works now, under its heading. */
export default function HelpSheet({ onClose, isSwitchedOff }: Props) {
  const groups = groupShortcuts(useActiveShortcuts())
  return (
    <Dialog
      open
      onClose={onClose}
      width="medium"
      title={t`Keyboard shortcuts`}
      description={
        isSwitchedOff
          ? t`Single-key shortcuts are off. You can turn them on in your profile. Key combinations still work.`
          : t`You can turn off single-key shortcuts in your profile.`
      }
    >
      <div className="gap-x-10 sm:columns-2">
        {groups.map(([heading, shortcuts]) => (
          <section key={heading} className="mb-5 break-inside-avoid">
            <h3 className="mb-1 text-muted text-sm">{heading}</h3>
            <dl>
              {shortcuts.map(shortcut => (
                <div
                  key={shortcut.label}
                  className="flex items-center justify-between gap-4 border-line border-b py-1.5"
                >
                  <dt>{shortcut.label}</dt>
                  <dd className="flex shrink-0 gap-2">
                    <span className="sr-only">{getKeys(shortcut).join(', ')}</span>
                    {getShownKeys(shortcut).map(keys =>
                      keys === '…' ? <span key={keys}>…</span> : <ShortcutKeys key={keys} keys={keys} />,
                    )}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}

const getKeys = ({ keys }: Shortcut): readonly string[] => (typeof keys === 'string' ? [keys] : keys)

/** Of many keys, the first and the last: `1 … 9`. */
function getShownKeys(shortcut: Shortcut): readonly string[] {
  const keys = getKeys(shortcut)
  return keys.length > 3 ? [keys[0] ?? '', '…', keys.at(-1) ?? ''] : keys
}

/** The page's shortcuts come first, in whatever order they are declared. */
function getGroupRank(heading: string): number {
  const order = [t`List`, t({ message: 'Review', context: 'noun' })]
  return order.includes(heading) ? order.indexOf(heading) : order.length
}

/** Groups shortcuts by heading, each once: a heading may be declared in two places. */
function groupShortcuts(declared: readonly (readonly Shortcut[])[]): [string, Shortcut[]][] {
  const groups = new Map<string, Map<string, Shortcut>>()
  for (const shortcut of declared.flat()) {
    const group = groups.get(shortcut.group) ?? new Map<string, Shortcut>()
    group.set(shortcut.label, shortcut)
    groups.set(shortcut.group, group)
  }
  return [...groups]
    .sort(([a], [b]) => getGroupRank(a) - getGroupRank(b))
    .map(([heading, shortcuts]) => [heading, [...shortcuts.values()]])
}
