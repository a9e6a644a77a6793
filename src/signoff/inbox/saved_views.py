"""Saved views: a person's own named filters."""

from typing import Any

from signoff.accounts.context import Caller
from signoff.inbox.errors import TooManyViews
from signoff.inbox.schemas import NewView, View, ViewChange, Views
from signoff.platform.clock import iso
from signoff.platform.db import Row
from signoff.platform.errors import NotFound
from signoff.platform.ids import new_id
from signoff.platform.messages import msg
from signoff.platform.sql import Sql
from signoff.reviews.filters import ReviewFilters

MAX_VIEWS = 50


async def list_views(caller: Caller) -> Views:
    """List the oldest first."""
    rows = await caller.db.fetch(
        """
        select view_id, name, filters, created_at from saved_views
        where account_id = $1 and user_id = $2 order by view_id
        """,
        caller.account_id,
        caller.actor.id,
    )
    return Views(items=[_to_view(row) for row in rows])


INSERT = Sql(
    """
    insert into saved_views (view_id, account_id, user_id, name, filters)
    values (:view_id, :account_id, :user_id, :name, :filters)
    returning view_id, name, filters, created_at
    """
)


async def save_view(caller: Caller, new: NewView) -> View:
    async with caller.db.transaction() as tx:
        # One at a time per person, so that two concurrent calls can't both take the last free place.
        await tx.execute("select from users where user_id = $1 for no key update", caller.actor.id)
        there = await tx.fetchval(
            "select count(*) from saved_views where account_id = $1 and user_id = $2",
            caller.account_id,
            caller.actor.id,
        )
        if there >= MAX_VIEWS:
            raise TooManyViews(MAX_VIEWS)
        row = await INSERT.fetch_one(
            tx,
            view_id=new_id("viw"),
            account_id=caller.account_id,
            user_id=caller.actor.id,
            name=new.name,
            filters=_filters_to_json(new.filters),
        )
    assert row is not None
    return _to_view(row)


UPDATE = Sql(
    """
    update saved_views set name = coalesce(:name, name), filters = coalesce(:filters, filters)
    where account_id = :account_id and user_id = :user_id and view_id = :view_id
    returning view_id, name, filters, created_at
    """
)


async def update_view(caller: Caller, view_id: str, change: ViewChange) -> View:
    given = change.model_fields_set
    row = await UPDATE.fetch_one(
        caller.db,
        account_id=caller.account_id,
        user_id=caller.actor.id,
        view_id=view_id,
        name=change.name if "name" in given else None,
        filters=_filters_to_json(change.filters) if "filters" in given else None,
    )
    if row is None:
        raise NotFound(msg("view"), view_id)
    return _to_view(row)


async def delete_view(caller: Caller, view_id: str) -> None:
    deleted = await caller.db.fetchval(
        "delete from saved_views where account_id = $1 and user_id = $2 and view_id = $3 returning true",
        caller.account_id,
        caller.actor.id,
        view_id,
    )
    if deleted is None:
        raise NotFound(msg("view"), view_id)


async def read_view_filters(caller: Caller) -> dict[str, ReviewFilters]:
    views = await list_views(caller)
    return {view.view_id: ReviewFilters.model_validate(view.filters) for view in views.items}


def _filters_to_json(filters: ReviewFilters) -> dict[str, Any]:
    return filters.model_dump(by_alias=True, exclude_none=True)


def _to_view(row: Row) -> View:
    return View.model_validate({**row, "created_at": iso(row["created_at"])})
