"""Users in a browser: real Chromium pages, signed in over the API, checked for everything that must not happen."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
from granian.constants import HTTPModes, Interfaces
from granian.server.embed import Server
from playwright.async_api import Browser, BrowserContext, Page, Request
from support.chromium import find_chromium
from support.in_process import STARTS_WITHIN, Service

ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Chromium uses only the last list of features, so Playwright's own list is included. The address bar's popups are
    # two invisible pages more in every window, which cost as much as our own.
    "--disable-features=AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,"
    "HttpsFirstBalancedModeAutoEnable,LensOverlay,MediaRouter,PaintHolding,ThirdPartyStoragePartitioning,"
    "OptimizationHints,NetworkTimeServiceQuerying,AimEnabled,PreconnectToSearch,"
    "WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup",
]
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}
AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"

# Pages handle rejected calls; the browser logs them in its console anyway.
EXPECTED = re.compile(r"Failed to load resource: the server responded with a status of 4\d\d")


def chromium_path() -> str:
    path = find_chromium()
    assert path is not None, "no Chromium: run `make test`, which installs one, or set CHROMIUM"
    return path


@asynccontextmanager
async def listening(service: Service) -> AsyncIterator[None]:
    """A browser needs a socket: the real service's server, in this process."""
    port = service.settings.port
    server = Server(
        service.app,
        port=port,
        interface=Interfaces.ASGINL,  # the application runs already
        http=HTTPModes.http1,
        websockets=False,
        log_enabled=False,
    )
    serving = asyncio.create_task(server.serve())
    async with asyncio.timeout(STARTS_WITHIN):
        while not await _listens(port):
            assert not serving.done(), "the server has ended"
            await asyncio.sleep(0.01)
    yield
    server.stop()
    await serving


async def _listens(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    writer.close()
    return True


@dataclass
class Watch:
    """What a page did that it never should."""

    host: str
    strange_requests: list[str] = field(default_factory=list[str])
    errors: list[str] = field(default_factory=list[str])
    expected: list[str] = field(default_factory=list[str])
    """Parts of errors that the test is about."""

    def follow(self, page: Page) -> None:
        page.on("request", self._on_request)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda message: self._on_message(message.type, message.text))

    def _on_request(self, request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme in {"http", "https"} and parts.netloc != self.host:
            self.strange_requests.append(request.url)

    def _on_message(self, kind: str, text: str) -> None:
        if kind == "error" and not EXPECTED.search(text):
            self.errors.append(text)

    def check(self) -> None:
        assert not self.strange_requests, f"the page asked another host: {self.strange_requests}"
        unexpected = [error for error in self.errors if not any(part in error for part in self.expected)]
        assert not unexpected, f"the page had errors: {unexpected}"


@dataclass
class Visitors:
    """Opens pages of one service; every page is checked at the end."""

    browser: Browser
    url: str
    watches: list[Watch] = field(default_factory=list[Watch])
    contexts: list[BrowserContext] = field(default_factory=list[BrowserContext])

    async def open(
        self, path: str = "/", client: httpx.AsyncClient | None = None, *, clock: bool = False, **options: Any
    ) -> Page:
        """A page in a new profile, optionally with a client's cookies. With `clock`, the test can move its clock
        forward."""
        context = await self.browser.new_context(base_url=self.url, reduced_motion="reduce", **options)
        self.contexts.append(context)
        if client is not None:
            await context.add_cookies(
                [{"name": cookie.name, "value": str(cookie.value), "url": self.url} for cookie in client.cookies.jar]
            )
        if clock:
            await context.clock.install()
        return await self.open_tab(context, path)

    async def open_tab(self, context: BrowserContext, path: str = "/") -> Page:
        """Another page in a profile."""
        page = await context.new_page()
        page.set_default_timeout(60_000)
        watch = Watch(urlsplit(self.url).netloc)
        watch.follow(page)
        self.watches.append(watch)
        await page.goto(path)
        return page

    async def close(self) -> None:
        await asyncio.gather(*(context.close() for context in self.contexts))
        for watch in self.watches:
            watch.check()


@asynccontextmanager
async def visitors_of(browser: Browser, url: str) -> AsyncIterator[Visitors]:
    visitors = Visitors(browser, url)
    yield visitors
    await visitors.close()


# The page must not change between measuring and judging: nothing changes any more, and nothing is loading.
ANIMATIONS_FINISHED = """() => new Promise(resolve => {
  let timer
  const latest = performance.now() + 10_000
  const isLoading = () =>
    document.querySelector('[aria-busy=true], [data-loading]') !== null ||
    [...document.querySelectorAll('[role=status]')].some(each => each.textContent.startsWith('Loading'))
  const wait = () => { clearTimeout(timer); timer = setTimeout(look, 100) }
  const look = () => (isLoading() && performance.now() < latest ? wait() : done())
  const watch = new MutationObserver(wait)
  const done = () => { watch.disconnect(); requestAnimationFrame(() => requestAnimationFrame(resolve)) }
  watch.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
  wait()
})"""


async def serious_findings(page: Page) -> list[str]:
    """axe's findings, of the levels that exclude people, once the page is idle; in dark colors too."""
    if not await page.evaluate("'axe' in window"):
        await page.evaluate(AXE.read_text())
    await page.evaluate(ANIMATIONS_FINISHED)
    find = "async only => (await axe.run(document, {resultTypes: ['violations'], ...only})).violations"
    report = await page.evaluate(find, {})
    await page.emulate_media(color_scheme="dark")
    await page.evaluate(ANIMATIONS_FINISHED)
    report += await page.evaluate(find, {"runOnly": ["color-contrast"]})
    await page.emulate_media(color_scheme="light")
    return [
        f"{finding['id']}: {finding['help']}\n{node['html'][:160]}\n{node['failureSummary']}"
        for finding in report
        if finding["impact"] in {"serious", "critical"}
        for node in finding["nodes"][:3]
    ]
