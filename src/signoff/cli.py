"""The command `signoff`. Each command imports what it needs, so that all of them start fast."""

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer
from typer.core import TyperGroup

if TYPE_CHECKING:
    from signoff.platform.settings import Settings

REFUSED, MISUSED = 1, 2


class _OneLineErrors(TyperGroup):
    """Prints an expected error as one clear line with an exit code; any other is a bug and shows its traceback."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except _expected_errors() as error:
            typer.echo(f"signoff: {error}", err=True)
            raise typer.Exit(MISUSED if isinstance(error, _usage_errors()) else REFUSED) from None


def _expected_errors() -> tuple[type[Exception], ...]:
    from signoff.platform.db import DatabaseUnavailable
    from signoff.platform.embedded_postgres import EmbeddedPostgresError
    from signoff.platform.errors import ApiError, CommandError
    from signoff.platform.migrate import MigrationError

    return *_usage_errors(), DatabaseUnavailable, EmbeddedPostgresError, MigrationError, ApiError, CommandError


def _usage_errors() -> tuple[type[Exception], ...]:
    from signoff.platform.errors import InvalidRequest
    from signoff.platform.settings import SettingsError

    return InvalidRequest, SettingsError


app = typer.Typer(
    cls=_OneLineErrors,
    help="Human review for AI agents.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _show_version(requested: bool) -> None:
    if requested:
        from signoff import __version__

        typer.echo(f"signoff {__version__}")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Human review for AI agents."""


Host = Annotated[str | None, typer.Option(help="Host to bind to. Overrides SIGNOFF_HOST.")]
Port = Annotated[int | None, typer.Option(help="Port to bind to. Overrides SIGNOFF_PORT.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the output as JSON.")]


@app.command()
def serve(
    host: Host = None,
    port: Port = None,
    demo: Annotated[
        bool | None, typer.Option(help="Fill a new workspace with demo data. Overrides SIGNOFF_DEMO.")
    ] = None,
) -> None:
    """Start Signoff: the API, a worker, and an embedded PostgreSQL unless SIGNOFF_DATABASE_URL is set."""
    settings = _read_settings(host, port, demo)
    from signoff.processes.supervisor import serve

    serve(settings)


@app.command()
def api(host: Host = None, port: Port = None) -> None:
    """Start only the API. Requires SIGNOFF_DATABASE_URL."""
    settings = _read_settings(host, port)
    _join_cluster(settings)
    from signoff.processes.api import run_api

    run_api(settings)


@app.command()
def worker() -> None:
    """Start only a worker, which delivers webhooks, emails, and chat posts. Requires SIGNOFF_DATABASE_URL."""
    settings = _read_settings()
    dsn = _join_cluster(settings)
    from signoff.platform.process import loading

    with loading():
        import uvloop

        from signoff.processes.worker import run_process

    uvloop.run(run_process(settings, dsn))


@app.command()
def migrate() -> None:
    """Apply database migrations. `signoff serve` does this on startup."""
    settings = _read_settings()
    import asyncio

    from signoff.backup.unfinished import ensure_no_unfinished_restore
    from signoff.platform.data_directory import open_database
    from signoff.platform.migrate import migrate

    with open_database(settings, "migrate") as dsn:
        ensure_no_unfinished_restore(settings, dsn)
        asyncio.run(migrate(dsn))
    typer.echo("The database is up to date.")


@app.command()
def init(
    email: Annotated[str, typer.Option(help="Owner's email.")],
    password: Annotated[str, typer.Option(help="Owner's password.", prompt=True, hide_input=True)],
    name: Annotated[str | None, typer.Option(help="Workspace name.")] = None,
    as_json: AsJson = False,
) -> None:
    """Create the workspace, its owner, and two API keys. Fails if a workspace already exists."""
    settings = _read_settings()
    import asyncio

    from signoff.accounts.setup import Workspace, create_workspace, validate_setup
    from signoff.backup.unfinished import ensure_no_unfinished_restore
    from signoff.demo.removal import remove_unused_demo
    from signoff.platform.data_directory import find_data_directory_owner, open_database
    from signoff.platform.db import Database
    from signoff.platform.migrate import migrate

    validate_setup(email, password, name)

    async def make(dsn: str) -> Workspace:
        await migrate(dsn)
        db = await Database.connect(dsn, size=2, application="signoff init")
        try:
            await remove_unused_demo(db)
            return await create_workspace(db, email=email, password=password, name=name)
        finally:
            await db.close()

    with open_database(settings, "init") as dsn:
        ensure_no_unfinished_restore(settings, dsn)
        workspace = asyncio.run(make(dsn))
        running = find_data_directory_owner(settings.data_dir)
    made = {
        "accountId": workspace.account_id,
        "userId": workspace.user_id,
        "apiKey": workspace.api_key,
        "manageKey": workspace.manage_key,
        "url": running.url if running else settings.url,
    }
    if as_json:
        typer.echo(json.dumps(made))
        return
    typer.echo(f"Your workspace is ready at {made['url']}. Copy these keys now. You won't be able to see them again.\n")
    for member, value in made.items():
        typer.echo(f"  {member:<10} {value}")


@app.command("sign-in-link")
def sign_in_link(email: Annotated[str, typer.Argument(help="Member's email.")]) -> None:
    """Print a one-time sign-in link for a member who forgot their password."""
    settings = _read_settings()
    import asyncio

    from signoff.accounts.setup import sign_in_link_for
    from signoff.accounts.sign_in.links import SignInLink
    from signoff.platform.clock import iso
    from signoff.platform.data_directory import ensure_database_ready, find_data_directory_owner, open_database
    from signoff.platform.db import Database
    from signoff.platform.errors import CommandError

    if settings.database_url is None and not settings.data_dir.exists():
        raise CommandError(
            f"Data directory {settings.data_dir.absolute()} doesn't exist. "
            "Set SIGNOFF_DATA_DIR if your data is elsewhere."
        )

    async def make(dsn: str, settings: "Settings") -> SignInLink:
        db = await Database.connect(dsn, size=2, application="signoff sign-in-link")
        try:
            return await sign_in_link_for(db, settings, email)
        finally:
            await db.close()

    with open_database(settings, "sign-in-link") as dsn:
        ensure_database_ready(dsn, migrated=True)
        # The running service may have been started with another address than in this terminal's settings.
        running = find_data_directory_owner(settings.data_dir)
        url = running.url if running else settings.url
        link = asyncio.run(make(dsn, settings.model_copy(update={"public_url": url})))
    typer.echo(link.url)
    typer.echo(
        f"This link works once and expires at {iso(link.expires_at)}. It works only while Signoff is running.", err=True
    )


demo_commands = typer.Typer(help="Manage the demo data of a new workspace.", no_args_is_help=True)
app.add_typer(demo_commands, name="demo")


@demo_commands.callback()
def demo() -> None:
    """Manage the demo data of a new workspace."""


@demo_commands.command("remove")
def demo_remove(
    yes: Annotated[bool, typer.Option("--yes", help="Skip the confirmation prompt.")] = False,
) -> None:
    """Remove the demo's agents, review types, reviews, and chats. Everything people created stays."""
    settings = _read_settings()
    import asyncio

    from signoff.accounts.actors import system_actor
    from signoff.demo.availability import find_demo
    from signoff.demo.errors import NoDemo
    from signoff.demo.removal import remove_demo
    from signoff.demo.state import describe_removal, read_state
    from signoff.platform.data_directory import ensure_database_ready, open_database
    from signoff.platform.db import Database
    from signoff.platform.errors import CommandError

    if settings.database_url is None and not settings.data_dir.exists():
        raise CommandError(
            f"Data directory {settings.data_dir.absolute()} doesn't exist. "
            "Set SIGNOFF_DATA_DIR if your data is elsewhere."
        )

    async def remove(dsn: str) -> None:
        db = await Database.connect(dsn, size=2, application="signoff demo remove")
        try:
            if (account_id := await find_demo(db)) is None:
                raise NoDemo
            if not yes:
                typer.confirm(describe_removal(await read_state(db, account_id)), abort=True)
            await remove_demo(db, account_id, system_actor(account_id, "command line"))
        finally:
            await db.close()

    with open_database(settings, "demo remove") as dsn:
        ensure_database_ready(dsn, migrated=True)
        asyncio.run(remove(dsn))
    typer.echo("Demo data removed.")


@app.command()
def doctor(as_json: AsJson = False) -> None:
    """Check your configuration and the services that Signoff depends on, and suggest fixes."""
    settings = _read_settings(log_level="critical")  # Its output is the result, not the log.
    from signoff.doctor import State, run_checks

    findings = run_checks(settings)
    if as_json:
        typer.echo(json.dumps([asdict(finding) for finding in findings], indent=2))
    else:
        marks = {State.OK: "✓", State.WARNING: "!", State.ERROR: "✗"}
        _print_table(
            ("", "Check", "Result", "What to do"),
            [(marks[finding.state], finding.subject, finding.found, finding.advice) for finding in findings],
        )
    if any(finding.state is State.ERROR for finding in findings):
        raise typer.Exit(REFUSED)


@app.command()
def backup(
    file: Annotated[
        Path,
        typer.Argument(help="Backup file to create, or to verify with --check, for example signoff-2026-11-15.tar."),
    ],
    check: Annotated[
        bool, typer.Option("--check", help="Verify an existing backup file instead of creating one.")
    ] = False,
) -> None:
    """Back up the database and all files to a single archive. You don't need to stop Signoff."""
    settings = _read_settings()
    from signoff.backup.console import format_problems, format_summary, shown_steps
    from signoff.backup.restore import check_backup
    from signoff.backup.writer import write_backup

    with shown_steps() as steps:
        manifest = check_backup(file, steps) if check else write_backup(settings, file, steps)
    typer.echo(f"{file}: {format_summary(manifest)}")
    for trouble in format_problems(manifest):
        typer.echo(f"signoff: {trouble}", err=True)
    if any(format_problems(manifest)) and not check:
        raise typer.Exit(REFUSED)


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(help="Backup file to restore.")],
    hold_deliveries: Annotated[
        bool,
        typer.Option(
            "--hold-deliveries",
            help=(
                "Cancel queued webhooks and emails, and disconnect chat apps. Use this when you restore a copy for "
                "testing."
            ),
        ),
    ] = False,
) -> None:
    """Restore a backup into an empty data directory, or an empty database and storage. Never overwrites data."""
    settings = _read_settings()
    from signoff.backup.console import format_comparison, format_held, format_summary, shown_steps
    from signoff.backup.restore import restore_backup

    with shown_steps() as steps:
        restored = restore_backup(settings, file, steps, hold=hold_deliveries)
    _print_table(("Table", "Rows in backup", "Rows restored"), format_comparison(restored))
    typer.echo(f"Restored and verified: {format_summary(restored.manifest)}")
    if restored.held is not None:
        typer.echo(format_held(restored.held))


@app.command()
def mcp(
    url: Annotated[
        str | None, typer.Option(envvar="SIGNOFF_URL", help="Signoff URL, for example https://signoff.example.com.")
    ] = None,
    api_key: Annotated[
        str | None,
        typer.Option(
            envvar="SIGNOFF_API_KEY",
            help="API key. Prefer the environment variable: other users can see command-line options.",
        ),
    ] = None,
) -> None:
    """Run an MCP server over stdio, backed by a Signoff server."""
    from signoff.mcp_server.stdio import serve_stdio

    serve_stdio(url, api_key)


@app.command()
def settings(
    markdown: Annotated[bool, typer.Option("--markdown", help="Print a Markdown table.")] = False,
) -> None:
    """List all settings with their environment variables and defaults."""
    from signoff.platform.settings import Settings

    rows = [
        (f"SIGNOFF_{name.upper()}", _format_default(field.default), field.description or "")
        for name, field in Settings.model_fields.items()
    ]
    heads = ("Variable", "Default", "Description")
    if not markdown:
        _print_table(heads, rows)
        return
    typer.echo(f"| {' | '.join(heads)} |\n|---|---|---|")
    for name, default, meaning in rows:
        typer.echo(f"| `{name}` | {f'`{default}`' if default else ''} | {meaning} |")


@app.command()
def openapi() -> None:
    """Print the OpenAPI spec."""
    settings = _read_settings()
    from signoff.app import create_app

    typer.echo(json.dumps(create_app(settings, dsn="").openapi(), indent=2))


def _read_settings(
    host: str | None = None, port: int | None = None, demo: bool | None = None, log_level: str | None = None
) -> "Settings":
    """Read the settings. Options become settings, so that child processes have them too."""
    for name, value in (("SIGNOFF_HOST", host), ("SIGNOFF_PORT", port), ("SIGNOFF_DEMO", demo)):
        if value is not None:
            os.environ[name] = str(value)
    from signoff.platform.logs import configure_logs
    from signoff.platform.settings import load_settings

    settings = load_settings()
    configure_logs(settings.model_copy(update={"log_level": log_level}) if log_level else settings)
    return settings


def _join_cluster(settings: "Settings") -> str:
    """Start as one of several processes on an existing database; returns its URL."""
    from signoff.platform.data_directory import ensure_database_ready
    from signoff.platform.errors import CommandError
    from signoff.platform.parent_process import exit_with_supervisor

    exit_with_supervisor()
    if settings.database_url is None:
        raise CommandError("SIGNOFF_DATABASE_URL isn't set. To run with the embedded database, use `signoff serve`.")
    ensure_database_ready(settings.database_url, migrated=True)
    return settings.database_url


def _format_default(default: Any) -> str:
    """Write a default as in an environment variable."""
    if isinstance(default, tuple):
        return ",".join(map(str, cast(tuple[object, ...], default)))
    return "" if default is None else str(default)


def _print_table(heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    from rich import box
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table = Table(*heads, box=box.SIMPLE_HEAD)
    for row in rows:
        table.add_row(*map(escape, row))
    Console(highlight=False).print(table)
