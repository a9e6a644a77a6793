import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import type { ExternalLink } from '@/api/assignment'
import { methodsQuery } from '@/api/sign-in'
import { Button } from '@/components/button'
import { CopyButton } from '@/components/copy-button'
import { Dialog } from '@/components/dialog'
import { classes } from '@/lib/classes'

/** The links of external reviewers who were just added. They're shown only once, so only its buttons close the dialog. */
export function NewLinks({ links, onClose }: { links: readonly ExternalLink[]; onClose: () => void }) {
  const isMailed = useQuery(methodsQuery).data?.mail
  const all = links.map(({ email, link }) => `${email}\n${link}`).join('\n\n')
  return (
    <Dialog
      open
      firm
      onClose={onClose}
      title={t`${plural(links.length, { one: 'Copy the review link', other: 'Copy the review links' })}`}
      description={describeSending(links, isMailed === true)}
      actions={
        <>
          {links.length > 1 && <CopyButton text={all} label={t`Copy all`} />}
          <Button kind="primary" onClick={onClose}>
            {t`Done`}
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

function describeSending([first, ...others]: readonly ExternalLink[], isMailed: boolean): string {
  if (others.length > 0)
    return isMailed
      ? t`We also emailed these links. Anyone with a link can open this review. You won't be able to see the links again.`
      : t`Email isn't set up, so send each reviewer their link yourself. Anyone with a link can open this review. You won't be able to see the links again.`
  const email = first?.email ?? ''
  return isMailed
    ? t`We also emailed this link to ${email}. Anyone with the link can open this review. You won't be able to see the link again.`
    : t`Email isn't set up, so send this link to ${email} yourself. Anyone with the link can open this review. You won't be able to see the link again.`
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
          className={classes('input input-line min-w-0 flex-1 font-mono text-sm')}
        />
        <CopyButton text={link} />
      </div>
    </>
  )
}
