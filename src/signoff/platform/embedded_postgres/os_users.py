"""Choose the OS user that runs PostgreSQL: it refuses to run as root, so root runs it as an unprivileged account."""

import os
import pwd
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from signoff.platform.embedded_postgres.errors import EmbeddedPostgresError

_NAMES = ("signoff", "postgres", "nobody")


class PopenUser(TypedDict, total=False):
    """The arguments of `subprocess.Popen` that set a program's user. Empty means the current user."""

    user: int
    group: int
    extra_groups: list[int]


@dataclass(frozen=True)
class OsUser:
    uid: int
    gid: int

    @property
    def is_ours(self) -> bool:
        return self.uid == os.geteuid()

    @property
    def identity(self) -> PopenUser:
        return {} if self.is_ours else {"user": self.uid, "group": self.gid, "extra_groups": []}

    @property
    def name(self) -> str | None:
        """None for bare user IDs, which containers often run as."""
        try:
            return pwd.getpwuid(self.uid).pw_name
        except KeyError:
            return None

    def owns(self, folder: Path) -> bool:
        """Whether `own` would change nothing."""
        if self.is_ours:
            return True
        ids = (self.uid, self.gid)
        if _owner(os.lstat(folder)) != ids:
            return False
        return all(
            _owner(os.stat(name, dir_fd=descriptor, follow_symlinks=False)) == ids
            for _, folders, files, descriptor in os.fwalk(folder)
            for name in folders + files
        )

    def own(self, folder: Path) -> None:
        """As root, hand a folder with all its content to this account, never following a symlink out of it."""
        if self.is_ours:
            return
        try:
            os.chown(folder, self.uid, self.gid, follow_symlinks=False)
        except PermissionError as error:
            raise EmbeddedPostgresError(
                f"PostgreSQL can't run as root, and Signoff couldn't change the owner of {folder} to "
                f"{self.name or self.uid}. Run Signoff as a non-root user."
            ) from error
        for _, folders, files, descriptor in os.fwalk(folder):
            for name in folders + files:
                os.chown(name, self.uid, self.gid, dir_fd=descriptor, follow_symlinks=False)


def _owner(status: os.stat_result) -> tuple[int, int]:
    return status.st_uid, status.st_gid


def server_os_user(home: Path) -> OsUser:
    """Return the account that runs PostgreSQL in the folder `home`.

    An owner other than root keeps the files, so a start with sudo doesn't lock them out of the next one.
    """
    if os.geteuid() != 0:
        return OsUser(os.geteuid(), os.getegid())
    for folder in (home, home.parent):
        if uid := folder.stat().st_uid:
            try:
                return OsUser(uid, pwd.getpwuid(uid).pw_gid)
            except KeyError:
                return OsUser(uid, uid)
    return _known_account()


def tool_account(server: OsUser) -> OsUser:
    """Return the account for PostgreSQL's other programs: unlike the server, they refuse to run as a user without a
    name.
    """
    if server.name:
        return server
    if server.is_ours:
        raise EmbeddedPostgresError(
            f"PostgreSQL needs a named user, but UID {server.uid} has no entry in /etc/passwd. "
            "Add one, or start Signoff once as root."
        )
    return _known_account()


def _known_account() -> OsUser:
    for name in _NAMES:
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return OsUser(entry.pw_uid, entry.pw_gid)
    raise EmbeddedPostgresError(
        f"PostgreSQL can't run as root. Create a user named {_NAMES[0]}, or run Signoff as a non-root user."
    )
