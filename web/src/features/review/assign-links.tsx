import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import type { ExternalLink } from '@/api/assignment'
import { methodsQuery } from '@/api/sign-in'
import { Button } from '@/components/button'
import { Copy } from '@/components/copy'
import { Dialog } from '@/components/dialog'
import { INPUT } from '@/components/input'
import { classes } from '@/lib/classes'

/** The links of people outside who are asked now. Nobody sees them twice, so it closes by its buttons only. */
export function NewLinks({ links, onClose }: { links: readonly ExternalLink[]; onClose: () => void }) {
  const isMailed = useQuery(methodsQuery).data?.mail
  const all = links.map(({ email, link }) => `${email}\n${link}`).join('\n\n')
  return (
    <Dialog
      open
      firm
      onClose={onClose}
      title={links.length === 1 ? 'A link to send' : 'Links to send'}
      description={
        links.length === 1
          ? `${isMailed ? `${links[0]?.email} gets it by mail, too.` : `Hand it to ${links[0]?.email}: no mail is sent.`} It opens this one review, for whoever has it. It is shown this once.`
          : `${isMailed ? 'They get them by mail, too.' : 'Hand them out: no mail is sent.'} Each opens this one review, for whoever has it. They are shown this once.`
      }
      actions={
        <>
          {links.length > 1 && <Copy text={all} label="Copy all" />}
          <Button kind="primary" onClick={onClose} className="max-md:h-11">
            Done, I have {links.length === 1 ? 'it' : 'them'}
          </Button>
        </>
      }
    >
      <ul className="flex flex-col gap-3">
        {links.map(each => (
          <li key={each.email}>
            <OneLink {...each} />
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

function OneLink({ email, link }: ExternalLink) {
  const id = useId()
  return (
    <>
      <label htmlFor={id} className="mb-1 block truncate font-medium text-sm">
        {email}
      </label>
      <div className="flex items-center gap-2">
        <input
          id={id}
          readOnly
          value={link}
          onFocus={event => event.target.select()}
          className={classes(INPUT, 'h-8 min-w-0 flex-1 font-mono text-sm max-md:h-11')}
        />
        <Copy text={link} />
      </div>
    </>
  )
}
