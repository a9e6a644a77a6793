"""Unused media is removed; media that is used again isn't, in either order."""

import asyncio
import hashlib
from collections.abc import AsyncIterator

import asyncpg
import pytest
from sample_files import new_seed, png
from stored_files import Stored
from upload_helpers import fetch_media, upload, wait_until

from signoff.media.references import add_references, delete_unused_media, release_references
from signoff.platform.db import Database
from signoff.platform.ids import new_id


@pytest.fixture(scope="module")
async def db(stored: Stored) -> AsyncIterator[Database]:
    """Direct database access, for tests that control the exact order of events."""
    database = await Database.connect(stored.service.dsn(), size=8)
    yield database
    await database.close()


async def is_stored(stored: Stored) -> tuple[str, str, str]:
    """Account, media ID and URL of a new file."""
    [file] = await upload(stored.workspace, png(seed=new_seed()))
    account_id, media_id = file["downloadURL"].split("/")[-2:]
    return account_id, media_id, file["downloadURL"]


async def is_served(stored: Stored, address: str) -> bool:
    return (await stored.workspace.public.head(address)).status_code == 200


async def use(db: Database, account_id: str, media_id: str) -> str:
    review_id = new_id("rev")
    async with db.transaction() as tx:
        assert await add_references(tx, account_id, review_id, [media_id, media_id]) == set()
    return review_id


class TestRelease:
    async def test_last_use_removes_row_and_object(self, stored: Stored, db: Database) -> None:
        account_id, media_id, address = await is_stored(stored)
        key = f"{account_id}/{media_id}"
        first, second = await use(db, account_id, media_id), await use(db, account_id, media_id)
        async with db.transaction() as tx:
            assert await release_references(tx, account_id, first) == 0
        assert await is_served(stored, address)
        async with db.transaction() as tx:
            assert await release_references(tx, account_id, second) == 1
        assert not await is_served(stored, address)
        await wait_until(lambda: key not in stored.objects())
        async with db.transaction() as tx:
            assert await release_references(tx, account_id, second) == 0

    async def test_unknown_media(self, stored: Stored, db: Database) -> None:
        account_id, media_id, _ = await is_stored(stored)
        async with db.transaction() as tx:
            assert await add_references(tx, account_id, "rev_1", [media_id, "med_none"]) == {"med_none"}
        async with db.transaction() as tx:
            assert await add_references(tx, "acc_other", "rev_1", [media_id]) == {media_id}

    async def test_content_can_be_uploaded_again_after_removal(self, stored: Stored, db: Database) -> None:
        content = png(seed=new_seed())
        [file] = await upload(stored.workspace, content)
        account_id, media_id = file["downloadURL"].split("/")[-2:]
        review_id = await use(db, account_id, media_id)
        async with db.transaction() as tx:
            await release_references(tx, account_id, review_id)
        [again] = await upload(stored.workspace, content)
        assert again["downloadURL"] != file["downloadURL"]
        await wait_until(lambda: f"{account_id}/{media_id}" not in stored.objects())
        assert await fetch_media(stored.workspace, again["downloadURL"]) == content


class TestConcurrent:
    async def test_new_use_first(self, stored: Stored, db: Database) -> None:
        """The use is written, but not committed, when the last other one is released."""
        account_id, media_id, address = await is_stored(stored)
        old, new = await use(db, account_id, media_id), new_id("rev")

        async def release() -> int:
            async with db.transaction() as tx:
                return await release_references(tx, account_id, old)

        async with db.transaction() as tx:
            await add_references(tx, account_id, new, [media_id])
            releasing = asyncio.create_task(release())
            await blocked(db)
        assert await releasing == 0
        assert await is_served(stored, address)

    async def test_release_first(self, stored: Stored, db: Database) -> None:
        account_id, media_id, address = await is_stored(stored)
        old, new = await use(db, account_id, media_id), new_id("rev")

        async def add() -> set[str]:
            async with db.transaction() as tx:
                return await add_references(tx, account_id, new, [media_id])

        async with db.transaction() as tx:
            assert await release_references(tx, account_id, old) == 1
            adding = asyncio.create_task(add())
            await blocked(db)
        assert await adding == {media_id}
        assert not await is_served(stored, address)

    async def test_plain_insert_violates_the_foreign_key(self, stored: Stored, db: Database) -> None:
        account_id, media_id, _ = await is_stored(stored)
        old = await use(db, account_id, media_id)
        insert = "insert into media_uses (account_id, review_id, media_id) values ($1, 'rev_new', $2)"
        async with db.transaction() as tx:
            await release_references(tx, account_id, old)
            adding = asyncio.create_task(db.execute(insert, account_id, media_id))
            await blocked(db)
        with pytest.raises(asyncpg.ForeignKeyViolationError):
            await adding

    async def test_many(self, stored: Stored, db: Database) -> None:
        """Uses come and go; in any order, a use never points to nothing, and no object is lost."""
        account_id, media_id, address = await is_stored(stored)
        first = await use(db, account_id, media_id)

        async def come_and_go(number: int) -> None:
            for turn in range(5):
                review_id = f"rev_{first}_{number}_{turn}"
                async with db.transaction() as tx:
                    missing = await add_references(tx, account_id, review_id, [media_id])
                assert missing == set()
                assert await is_served(stored, address)
                async with db.transaction() as tx:
                    await release_references(tx, account_id, review_id)

        await asyncio.gather(*(come_and_go(number) for number in range(6)))
        assert await is_served(stored, address)
        async with db.transaction() as tx:
            assert await release_references(tx, account_id, first) == 1


async def blocked(db: Database) -> None:
    """Waits until someone waits for a lock."""
    async with asyncio.timeout(20):
        while True:
            waiting = await db.fetchval("select count(*) from pg_locks where not granted and pid <> pg_backend_pid()")
            if waiting:
                return
            await asyncio.sleep(0.01)


class TestCleanup:
    async def age(self, db: Database, media_id: str, days: int = 31) -> None:
        await db.execute(
            "update media set kept_at = now() - make_interval(days => $2) where media_id = $1", media_id, days
        )

    async def test_unused_for_long(self, stored: Stored, db: Database) -> None:
        account_id, media_id, address = await is_stored(stored)
        await self.age(db, media_id)
        await delete_unused_media(db, 30)
        assert not await is_served(stored, address)
        await wait_until(lambda: f"{account_id}/{media_id}" not in stored.objects())

    async def test_unused_for_a_short_time(self, stored: Stored, db: Database) -> None:
        _, media_id, address = await is_stored(stored)
        await self.age(db, media_id, 29)
        await delete_unused_media(db, 30)
        assert await is_served(stored, address)

    async def test_used(self, stored: Stored, db: Database) -> None:
        account_id, media_id, address = await is_stored(stored)
        await use(db, account_id, media_id)
        await self.age(db, media_id, 400)
        await delete_unused_media(db, 30)
        assert await is_served(stored, address)

    async def test_uploaded_again(self, stored: Stored, db: Database) -> None:
        content = png(seed=new_seed())
        [file] = await upload(stored.workspace, content)
        await self.age(db, file["downloadURL"].rpartition("/")[2])
        [again] = await upload(stored.workspace, content)
        await delete_unused_media(db, 30)
        assert again == file
        assert await is_served(stored, file["downloadURL"])

    async def test_during_a_new_reference(self, stored: Stored, db: Database) -> None:
        account_id, media_id, address = await is_stored(stored)
        await self.age(db, media_id)
        async with db.transaction() as tx:
            await add_references(tx, account_id, new_id("rev"), [media_id])
            await delete_unused_media(db, 30)  # leaves files of other processes alone
        await delete_unused_media(db, 30)
        assert await is_served(stored, address)

    async def test_lost_during_upload(self, stored: Stored, db: Database) -> None:
        """A process ended after it had stored the object, and before it could record it."""
        account_id, media_id, _ = await is_stored(stored)
        await db.execute("delete from media where media_id = $1", media_id)
        await db.execute(
            "insert into media_arriving (account_id, media_id, since) values ($1, $2, now() - interval '7 hours')",
            account_id,
            media_id,
        )
        await delete_unused_media(db, 30)
        await wait_until(lambda: f"{account_id}/{media_id}" not in stored.objects())

    async def test_no_incoming_files_left(self, stored: Stored, db: Database) -> None:
        content = png(seed=new_seed())
        await upload(stored.workspace, content)
        row = await db.fetchrow("select media_id from media where sha256 = $1", hashlib.sha256(content).digest())
        assert row is not None
        assert not await db.fetchval("select count(*) from media_arriving where media_id = $1", row["media_id"])
