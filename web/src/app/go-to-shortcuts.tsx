import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { Toast } from '@/components/toast'
import type { InboxSearch } from '@/features/inbox/search-params'
import { i18n } from '@/lib/i18n'
import { type Shortcut, useShortcuts } from '@/lib/shortcuts'

/** How long the second key may take. */
const SEQUENCE_TIMEOUT = 1_500

const VIEWS: readonly { key: string; label: MessageDescriptor; search: InboxSearch }[] = [
  { key: 'i', label: msg`Go to inbox`, search: {} },
  { key: 'm', label: msg`Go to Assigned to me`, search: { view: 'mine' } },
  { key: 'u', label: msg`Go to Unassigned`, search: { view: 'unassigned' } },
  { key: 'a', label: msg`Go to All pending`, search: { view: 'all' } },
  { key: 'd', label: msg`Go to Decided`, search: { view: 'decided' } },
]

/**
 * `expired`: the second key didn't come in time. Until the member does something else it still belongs to `G` and does
 * nothing: `G`, a pause, `A` must not approve the open review.
 */
type Sequence = 'none' | 'open' | 'expired'

/** `G` followed by another key goes to a page. */
export function GoToShortcuts() {
  const navigate = useNavigate()
  const [sequence, setSequence] = useState<Sequence>('none')
  const [ignored, setIgnored] = useState<string | null>(null)
  useEffect(() => {
    if (sequence !== 'open') return
    const timer = setTimeout(() => setSequence('expired'), SEQUENCE_TIMEOUT)
    return () => clearTimeout(timer)
  }, [sequence])

  useShortcuts(
    useMemo(
      () => [
        {
          keys: 'g',
          label: t`Go to…, then press I (inbox), M (assigned to me), U (unassigned), A (all pending), D (decided), C (chats), or S (settings)`,
          group: t`General`,
          keyboardOnly: true,
          run: () => setSequence('open'),
        },
      ],
      [],
    ),
  )

  // The second keys have other meanings otherwise; declared last, they win during the sequence.
  const second = useMemo((): Shortcut[] => {
    if (sequence === 'none') return []
    const createShortcut = (key: string, label: string, go: () => void): Shortcut => ({
      keys: key,
      label,
      group: t`General`,
      keyboardOnly: true,
      run: () => {
        setSequence('none')
        if (sequence === 'open') go()
        else setIgnored(key.toUpperCase())
      },
    })
    return [
      ...VIEWS.map(({ key, label, search }) =>
        createShortcut(key, i18n._(label), () => void navigate({ to: '/', search })),
      ),
      createShortcut('c', t`Go to chats`, () => void navigate({ to: '/sessions', search: {} })),
      createShortcut(
        's',
        t`Go to settings`,
        () => void navigate({ to: '/settings/$section', params: { section: 'profile' } }),
      ),
    ]
  }, [sequence, navigate])
  useShortcuts(second)

  const isActive = sequence !== 'none' || ignored !== null
  useEffect(() => {
    if (!isActive) return
    const endSequence = (event: Event) => {
      setIgnored(null)
      const isSecond = event instanceof KeyboardEvent && second.some(({ keys }) => keys === event.key)
      if (!isSecond) setSequence('none')
    }
    // Listens before the shortcuts do, because one of them may start another sequence.
    const events = ['keydown', 'pointerdown', 'blur'] as const
    for (const name of events) window.addEventListener(name, endSequence, { capture: true })
    return () => {
      for (const name of events) window.removeEventListener(name, endSequence, { capture: true })
    }
  }, [isActive, second])

  return (
    <div role="status" className="empty:absolute">
      {ignored !== null && (
        <Toast>
          {t`You pressed ${{ key: ignored }} too long after G, so nothing happened. Press it again to use it.`}
        </Toast>
      )}
    </div>
  )
}
