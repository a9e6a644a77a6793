/** Code that is loaded on demand, and what a page shows if it can't be loaded. */

import { t } from '@lingui/core/macro'
import { type ComponentType, createElement, lazy, useEffect, useState } from 'react'
import { type BuildState, checkForNewVersion, reloadIfSafe, reloadPage } from '@/lib/new-version'
import { Button } from './button'
import { ErrorState, Notice, Spinner } from './status'

// biome-ignore lint/suspicious/noExplicitAny: a component with any props; each caller's are checked.
type AnyComponent = ComponentType<any>
type Load<C> = () => Promise<{ default: C }>

/**
 * A part of a page. If a newer build removed its file, it shows an error in its place, and the rest of the page keeps
 * working.
 */
export const lazyPart = <C extends AnyComponent>(load: Load<C>) => lazy(() => loadOrRetry(load, false))

/** A page. If a newer build removed its file, the page reloads as the newer build, unless that isn't safe. */
export const lazyPage = <C extends AnyComponent>(load: Load<C>) => lazy(() => loadOrRetry(load, true))

/** The same for `lazyRouteComponent`, which takes a module. */
export const retryingPage =
  <C extends AnyComponent, Name extends string>(load: () => Promise<Record<Name, C>>, name: Name) =>
  async (): Promise<Record<Name, C>> => {
    const page = await loadOrRetry(async () => ({ default: (await load())[name] }), true)
    return { [name]: page.default } as Record<Name, C>
  }

async function loadOrRetry<C extends AnyComponent>(load: Load<C>, isPage: boolean): Promise<{ default: C }> {
  try {
    return await load()
  } catch {
    void checkForNewVersion()
    // A failed preload must not disturb anyone: the error is handled when the part is shown.
    const later = (props: object) => <RetryingPart load={load} isPage={isPage} props={props} />
    return { default: later as unknown as C }
  }
}

type State =
  | { kind: 'trying' }
  | { kind: 'here'; component: AnyComponent }
  | { kind: 'missing'; build: BuildState }

function RetryingPart({ load, isPage, props }: { load: Load<AnyComponent>; isPage: boolean; props: object }) {
  const [state, setState] = useState<State>({ kind: 'trying' })
  const [tries, setTries] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt runs it once.
  useEffect(() => {
    let isGone = false
    const tryAgain = async () => {
      try {
        const component = (await load()).default
        if (!isGone) setState({ kind: 'here', component })
      } catch {
        const build = await checkForNewVersion()
        if (isGone || (isPage && build === 'newer' && reloadIfSafe())) return
        setState({ kind: 'missing', build })
      }
    }
    void tryAgain()
    return () => {
      isGone = true
    }
  }, [load, isPage, tries])
  if (state.kind === 'here') return createElement(state.component, props)
  const retry = () => {
    setState({ kind: 'trying' })
    setTries(tries + 1)
  }
  // Marked as busy until it's there: nobody can decide what they can't see yet.
  return (
    <div data-loading>
      {state.kind === 'trying' ? <Spinner /> : <Missing build={state.build} onRetry={retry} />}
    </div>
  )
}

function Missing({ build, onRetry }: { build: BuildState; onRetry: () => void }) {
  if (build === 'unreachable')
    return (
      <ErrorState
        title={t`Couldn't load this part of the page`}
        error={new Error(t`Check your connection and try again.`)}
        onRetry={onRetry}
      />
    )
  return (
    <Notice
      actions={
        <Button size="small" onClick={reloadPage}>
          {t`Reload`}
        </Button>
      }
    >
      {build === 'newer'
        ? t`A new version of Signoff is available. Reload the page to continue.`
        : t`A file that this page needs is missing. Reload the page. If that doesn't help, contact an admin.`}
    </Notice>
  )
}
