"""Damaged backups: each is detected, and nothing is unpacked."""

import io
import json
import tarfile
from pathlib import Path
from typing import Any

import pytest
from backup_helpers import Backup, Target, ignore_progress
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.examples import examples

from signoff.backup.archive import ArchiveWriter, ContentDigest
from signoff.backup.manifest import Files, Hashed, Manifest, MediaFile
from signoff.backup.restore import check_backup, restore_backup
from signoff.platform.errors import CommandError

ACCOUNT = "acc_" + "1" * 28
CONTENT_TYPE = "image/png"


def name_of(number: int) -> str:
    return f"media/{ACCOUNT}/med_{number:044x}"


def measured(content: bytes) -> Hashed:
    digest = ContentDigest()
    digest.add(content)
    return Hashed(size=digest.size, sha256=digest.sha256)


def parts_of(**changed: Any) -> list[tuple[str, bytes]]:
    """The parts of a small backup; its manifest is correct except for what is `changed`."""
    media = [(name_of(number), bytes([number]) * (number * 300)) for number in range(3)]
    index = b"".join(
        MediaFile(name=name, content_type=CONTENT_TYPE, **measured(content).model_dump()).model_dump_json().encode()
        + b"\n"
        for name, content in media
    )
    dump = b"PGDMP and so on"
    manifest = Manifest(
        format=1,
        signoff="0.1.0",
        revision="0001",
        made_at="2026-11-15T12:00:00.000Z",
        postgresql=18,
        database=measured(dump),
        tables={"accounts": 1},
        media=Files(count=3, bytes=sum(len(content) for _, content in media), **measured(index).model_dump()),
        missing=[],
        missing_count=0,
        settings=[],
    )
    said = {**json.loads(manifest.model_dump_json()), **changed}
    return [("database.dump", dump), *media, ("media.jsonl", index), ("manifest.json", json.dumps(said).encode())]


def packed(parts: list[tuple[str, bytes]]) -> bytes:
    file = io.BytesIO()
    archive = ArchiveWriter(file)
    for name, content in parts:
        with archive.part(name) as part:
            part.write(content)
    archive.finish()
    return file.getvalue()


def write(folder: Path, content: bytes) -> Path:
    path = folder / "backup.tar"
    path.write_bytes(content)
    return path


SOUND = packed(parts_of())


def test_a_valid_backup(tmp_path: Path) -> None:
    assert check_backup(write(tmp_path, SOUND), ignore_progress).tables == {"accounts": 1}
    with tarfile.open(tmp_path / "backup.tar") as archive:  # and any tar reads it
        assert archive.getnames()[0] == "database.dump"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(150), deadline=None)
@given(at=st.integers(0, len(SOUND) - 1), bit=st.integers(0, 7))
def test_any_flipped_bit(tmp_path: Path, at: int, bit: int) -> None:
    content = bytearray(SOUND)
    content[at] ^= 1 << bit
    try:
        manifest = check_backup(write(tmp_path, bytes(content)), ignore_progress)
    except CommandError:
        return
    # What isn't checked: how a header formats its checksum, and the manifest's texts for people.
    manifest_keys = {"signoff", "made_at", "tables", "postgresql", "revision"}
    assert manifest.model_dump(exclude=manifest_keys) == json.loads(
        Manifest.model_validate_json(SOUND_MANIFEST).model_dump_json(exclude=manifest_keys)
    )


SOUND_MANIFEST = parts_of()[-1][1]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(60), deadline=None)
@given(length=st.integers(0, len(SOUND) - 1))
def test_truncated(tmp_path: Path, length: int) -> None:
    with pytest.raises(CommandError):
        check_backup(write(tmp_path, SOUND[:length]), ignore_progress)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(60), deadline=None)
@given(content=st.binary(max_size=3000))
def test_other_files(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(CommandError):
        check_backup(write(tmp_path, content), ignore_progress)


def special(kind: bytes, name: str = name_of(1), link: str = "", size: int = 0) -> bytes:
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.size = kind, link, size
    return info.tobuf(tarfile.GNU_FORMAT)


def long_name(name: str, style: int) -> bytes:
    info = tarfile.TarInfo(name)
    return info.tobuf(style)


FIRST = packed(parts_of()[:1])[: -2 * 512]
HOSTILE: dict[str, bytes] = {
    "symbolic link": FIRST + special(tarfile.SYMTYPE, link="/etc/passwd"),
    "hard link": FIRST + special(tarfile.LNKTYPE, link="database.dump"),
    "character device": FIRST + special(tarfile.CHRTYPE),
    "block device": FIRST + special(tarfile.BLKTYPE),
    "pipe": FIRST + special(tarfile.FIFOTYPE),
    "folder": FIRST + special(tarfile.DIRTYPE),
    "sparse file": FIRST + special(tarfile.GNUTYPE_SPARSE),
    "old plain file": FIRST + special(tarfile.AREGTYPE),
    "up": packed([*parts_of()[:1], ("../../etc/passwd", b"root")]),
    "up, further in": packed([*parts_of()[:1], (f"media/{ACCOUNT}/../../etc/passwd", b"root")]),
    "absolute": packed([*parts_of()[:1], ("/etc/passwd", b"root")]),
    "only a folder's name": packed([*parts_of()[:1], ("media/", b"")]),
    "deeper": packed([*parts_of()[:1], (f"media/{ACCOUNT}/med_1/2", b"")]),
    "line feed in a name": packed([*parts_of()[:1], (f"media/{ACCOUNT}/med_1\n", b"")]),
    "long name, GNU": FIRST + long_name("media/" + "x" * 300, tarfile.GNU_FORMAT),
    "long name, PAX": FIRST + long_name("media/" + "ä" * 300, tarfile.PAX_FORMAT),
    "larger than the world": FIRST + special(tarfile.REGTYPE, size=2**62),
    "twice": packed([*parts_of()[:2], *parts_of()[1:]]),
    "not in order": packed([parts_of()[0], parts_of()[2], parts_of()[1], *parts_of()[3:]]),
    "no database": packed(parts_of()[1:]),
    "two databases": packed([parts_of()[0], *parts_of()]),
    "no list": packed([*parts_of()[:4], parts_of()[5]]),
    "no manifest": packed(parts_of()[:-1]),
    "two manifests": packed([*parts_of(), parts_of()[-1]]),
    "a file that is not listed": packed([*parts_of()[:4], (name_of(9), b"x"), *parts_of()[4:]]),
    "a file that is missing": packed([*parts_of()[:3], *parts_of()[4:]]),
    "another file": packed([*parts_of()[:3], (name_of(2), b"x" * 600), *parts_of()[4:]]),
    "another database": packed([("database.dump", b"PGDMP and so oN"), *parts_of()[1:]]),
    "a list without an end": packed([*parts_of()[:4], ("media.jsonl", b"x" * 2_000_000), parts_of()[5]]),
    "something behind it": SOUND + b"x",
    "two in one": SOUND + SOUND,
    "no manifest's JSON": packed([*parts_of()[:-1], ("manifest.json", b"{")]),
    "a deep manifest": packed([*parts_of()[:-1], ("manifest.json", b"[" * 200_000)]),
    "a number as manifest": packed([*parts_of()[:-1], ("manifest.json", b"7")]),
    "fewer files than it says": packed(parts_of(media={**json.loads(SOUND_MANIFEST)["media"], "count": 4})),
    "something more in it": packed(parts_of(more=1)),
    "no format of ours": packed(parts_of(format=0)),
    "more missing than it names": packed(parts_of(missing_count=1)),
}


@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_archives(tmp_path: Path, content: bytes) -> None:
    folder = tmp_path / "target"
    with pytest.raises(CommandError) as refusal:
        restore_backup(
            Target("postgresql://nobody@127.0.0.1:9/none", folder).settings,
            write(tmp_path, content),
            ignore_progress,
            hold=False,
        )
    assert "\n" not in str(refusal.value)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["backup.tar"]


@pytest.mark.parametrize("changed", [{"format": 2}, {"revision": "9999"}, {"revision": "from_the_future"}])
def test_newer_versions(tmp_path: Path, changed: dict[str, Any]) -> None:
    path = write(tmp_path, packed(parts_of(**changed)))
    with pytest.raises(CommandError, match="newer version of Signoff"):
        restore_backup(
            Target("postgresql://nobody@127.0.0.1:9/none", tmp_path / "t").settings, path, ignore_progress, hold=False
        )
    assert not (tmp_path / "t").exists()


def test_invalid_dump_and_wrong_counts(backup: Backup, target: Target, tmp_path: Path) -> None:
    """Valid hashes, but wrong content: the database stays empty, or the restore isn't complete."""
    with pytest.raises(CommandError, match="pg_restore failed"):
        target.restore(write(tmp_path, packed(parts_of())))
    assert target.tables() == 0

    with tarfile.open(backup.file) as archive:
        parts = [(info.name, archive.extractfile(info).read()) for info in archive]  # pyright: ignore
    manifest = json.loads(parts[-1][1])
    manifest["tables"]["users"] += 1
    path = write(tmp_path, packed([*parts[:-1], ("manifest.json", json.dumps(manifest).encode())]))
    target.media.joinpath(".signoff-restore").unlink()
    for left in target.media.rglob("med_*"):
        left.unlink()
    with pytest.raises(CommandError, match="different number of rows than in the backup: users"):
        target.restore(path)
    assert target.fetch("select count(*) from alembic_version") == [(0,)]
