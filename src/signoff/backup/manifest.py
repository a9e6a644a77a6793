"""The description of a backup inside it."""

import json
import re
from pathlib import Path
from typing import Any, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from signoff.backup.archive import BackupDamaged
from signoff.platform.errors import CommandError

FORMAT: Final = 1
DATABASE, MEDIA, INDEX, MANIFEST = "database.dump", "media/", "media.jsonl", "manifest.json"
MAX_LINE_BYTES = 2_000
MAX_MANIFEST_BYTES = 16 * 1024 * 1024
MAX_MISSING = 1_000
"""The maximum number of names; all are counted."""
MEDIA_NAME = re.compile(r"media/[A-Za-z0-9_-]{1,40}/[A-Za-z0-9_-]{1,52}")
SHA256 = r"^[0-9a-f]{64}$"


class _ManifestPart(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Hashed(_ManifestPart):
    size: int = Field(ge=0)
    sha256: str = Field(pattern=SHA256)


class MediaFile(Hashed):
    """A line of the list of files."""

    name: str = Field(pattern=f"^{MEDIA_NAME.pattern}$")
    content_type: str = Field(max_length=200)

    @property
    def key(self) -> str:
        """Return the key in a storage."""
        return self.name.removeprefix(MEDIA)


class Files(Hashed):
    """All files: their number, their total size, and their list."""

    count: int = Field(ge=0)
    bytes: int = Field(ge=0)


class Missing(_ManifestPart):
    name: str
    why: str


class Manifest(_ManifestPart):
    format: Literal[1]
    signoff: str
    revision: str = Field(pattern=r"^[A-Za-z0-9_]{1,64}$", description="Of the database's schema.")
    made_at: str
    postgresql: int
    database: Hashed
    tables: dict[str, int] = Field(description="Rows, by table.")
    media: Files
    missing: list[Missing] = Field(description="Files that the database names and the storage did not have.")
    missing_count: int
    settings: list[str] = Field(description="Names of the settings that were set; their values are not in the backup.")

    @model_validator(mode="after")
    def _check_missing_count(self) -> Self:
        if len(self.missing) != min(self.missing_count, MAX_MISSING):
            raise ValueError("the number of missing files doesn't match their list")
        return self


def read_manifest(text: bytes) -> Manifest:
    """Parse a manifest. Raises `CommandError` for one of a newer version, `BackupDamaged` for an invalid one."""
    try:
        raw: Any = json.loads(text)
        if isinstance(raw, dict) and isinstance(raw.get("format"), int) and raw["format"] > FORMAT:
            raise CommandError("The backup was created by a newer version of Signoff. Install that version first.")
        return Manifest.model_validate(raw)
    except (ValueError, RecursionError, ValidationError) as error:
        raise BackupDamaged(f"Can't read the backup's manifest: {str(error).splitlines()[0]}") from None


def ensure_supported_format(manifest: Manifest) -> None:
    from alembic.script import ScriptDirectory  # Slow to import, and only a restore needs it.

    from signoff.platform import migrate

    scripts = ScriptDirectory(str(Path(migrate.__file__).parent / "migrations"))
    if manifest.revision not in {script.revision for script in scripts.walk_revisions()}:
        raise CommandError(
            f"The backup was created by a newer version of Signoff ({manifest.signoff}, schema {manifest.revision}). "
            "Install that version first."
        )
