import { t } from '@lingui/core/macro'
import { ListFilter } from 'lucide-react'
import { Popover } from 'radix-ui'
import { type ComponentProps, Suspense, useState } from 'react'
import { IconButton } from '@/components/button'
import { lazyPart } from '@/components/lazy'
import { Spinner } from '@/components/status'

const FilterFields = lazyPart(() => import('./filter-fields'))

export function FilterMenu({ onSave, ...rest }: ComponentProps<typeof FilterFields>) {
  const [isOpen, setOpen] = useState(false)
  const save = () => {
    setOpen(false)
    onSave()
  }
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <IconButton label={t`Filter`} icon={<ListFilter />} />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          aria-label={t`Filter`}
          className="z-40 flex w-72 flex-col gap-3 rounded-lg bg-raised p-4 shadow-float"
        >
          <Suspense fallback={<Spinner />}>
            <FilterFields {...rest} onSave={save} />
          </Suspense>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
