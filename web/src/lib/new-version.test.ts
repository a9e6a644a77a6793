import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

const page = (entry: string) => `<script type="module" crossorigin src="${entry}"></script>`

describe('a newer build', () => {
  let served: () => Promise<Response>
  let assign: ReturnType<typeof vi.fn>
  let fieldsInDialogs: { value: string }[]
  let storage: Map<string, string>

  /** A page of build `a.js` that has just loaded. The tab keeps its storage. */
  async function loadPage() {
    vi.resetModules()
    return { ...(await import('./new-version')), ...(await import('./page-exit')) }
  }

  beforeEach(() => {
    served = async () => new Response(page('b.js'))
    assign = vi.fn()
    fieldsInDialogs = []
    storage = new Map()
    vi.stubGlobal('fetch', () => served())
    vi.stubGlobal('location', { href: 'https://signoff.example/insights#charts', assign })
    vi.stubGlobal('document', {
      baseURI: 'https://signoff.example/',
      querySelector: () => ({ getAttribute: () => 'a.js' }),
      querySelectorAll: () => fieldsInDialogs,
    })
    vi.stubGlobal('sessionStorage', {
      getItem: (key: string) => storage.get(key) ?? null,
      setItem: (key: string, value: string) => storage.set(key, value),
    })
  })

  afterEach(() => {
    vi.unstubAllGlobals()
    vi.resetModules()
  })

  it('is loaded when the member goes to another page', async () => {
    const { checkForNewVersion, reloadOnNavigation } = await loadPage()
    expect(await checkForNewVersion()).toBe('newer')
    expect(assign).not.toHaveBeenCalled()
    expect(await reloadOnNavigation()).toBe(true)
    expect(assign.mock.calls.map(String)).toEqual(['https://signoff.example/insights'])
  })

  it('is not looked for at each navigation', async () => {
    const { reloadOnNavigation } = await loadPage()
    served = () => Promise.reject(new Error('not expected'))
    expect(await reloadOnNavigation()).toBe(false)
  })

  it.each([
    ['no connection', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['an error', async () => new Response(page('b.js'), { status: 502 })],
    ["a proxy's page", async () => new Response('<h1>Back soon</h1>')],
  ])('is not assumed from %s', async (_, answer) => {
    served = answer
    const { checkForNewVersion, reloadIfSafe } = await loadPage()
    expect(await checkForNewVersion()).toBe('unreachable')
    expect(reloadIfSafe()).toBe(false)
  })

  it('does not replace the page while the service is unreachable', async () => {
    const { checkForNewVersion, reloadOnNavigation } = await loadPage()
    await checkForNewVersion()
    served = () => Promise.reject(new TypeError('Failed to fetch'))
    expect(await reloadOnNavigation()).toBe(false)
    served = async () => new Response(page('b.js'))
    expect(await reloadOnNavigation()).toBe(true)
  })

  it('is forgotten if the service goes back to this build', async () => {
    const { checkForNewVersion, reloadOnNavigation } = await loadPage()
    await checkForNewVersion()
    served = async () => new Response(page('a.js'))
    expect(await checkForNewVersion()).toBe('current')
    expect(await reloadOnNavigation()).toBe(false)
  })

  it.each(['blockReloads', 'confirmBeforeClosing'] as const)('waits for what %s reports', async register => {
    const loaded = await loadPage()
    let isBusy = true
    const unregister = loaded[register](() => isBusy)
    await loaded.checkForNewVersion()
    expect(await loaded.reloadOnNavigation()).toBe(false)
    expect(loaded.reloadIfSafe()).toBe(false)
    isBusy = false
    expect(loaded.isReloadSafe()).toBe(true)
    isBusy = true
    unregister()
    expect(await loaded.reloadOnNavigation()).toBe(true)
  })

  it('waits for what starts while it is looked for', async () => {
    const { blockReloads, checkForNewVersion, reloadOnNavigation } = await loadPage()
    await checkForNewVersion()
    let isBusy = false
    blockReloads(() => isBusy)
    served = async () => {
      isBusy = true
      return new Response(page('b.js'))
    }
    expect(await reloadOnNavigation()).toBe(false)
    expect(assign).not.toHaveBeenCalled()
  })

  it('waits while text is typed in a dialog', async () => {
    const { checkForNewVersion, reloadOnNavigation } = await loadPage()
    await checkForNewVersion()
    fieldsInDialogs = [{ value: '' }, { value: 'CI key' }]
    expect(await reloadOnNavigation()).toBe(false)
    fieldsInDialogs = [{ value: '' }]
    expect(await reloadOnNavigation()).toBe(true)
  })

  it('is loaded once, even if two builds take turns', async () => {
    for (const [build, isLoaded] of [
      ['b.js', true],
      ['c.js', true],
      ['b.js', false],
      ['c.js', false],
    ] as const) {
      served = async () => new Response(page(build))
      const { checkForNewVersion, reloadIfSafe } = await loadPage()
      expect(await checkForNewVersion()).toBe('newer')
      expect(reloadIfSafe()).toBe(isLoaded)
    }
  })

  it('is not loaded if the tab cannot remember it', async () => {
    vi.stubGlobal('sessionStorage', undefined)
    const { checkForNewVersion, reloadIfSafe } = await loadPage()
    await checkForNewVersion()
    expect(reloadIfSafe()).toBe(false)
  })
})
