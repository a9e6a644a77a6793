"""The permissions of every actor, written out: a change of permissions changes this table."""

import pytest

from signoff.accounts.actors import DECIDING_ROLES, ROLES, SCOPES, Actor, Permission, Role, Scope, system_actor

ALL = {"read", "request", "decide", "deliver", "design", "administer"}


@pytest.mark.parametrize(
    ("role", "may"),
    [
        ("owner", ALL),
        ("admin", ALL),
        ("editor", ALL - {"administer"}),
        ("reviewer", {"read", "decide", "deliver"}),
        ("viewer", {"read"}),
    ],
)
def test_role(role: Role, may: set[str]) -> None:
    assert ROLES[role] == may
    assert (role in DECIDING_ROLES) == ("decide" in may)


@pytest.mark.parametrize(
    ("scope", "may"),
    [
        ("reviews:write", {"request"}),
        ("reviews:read", {"read"}),
        ("manage", {"read", "deliver", "design", "administer"}),
    ],
)
def test_scope(scope: Scope, may: set[str]) -> None:
    assert SCOPES[scope] == may
    assert "decide" not in may


def test_no_other_roles_or_scopes() -> None:
    assert len(ROLES) == 5
    assert len(SCOPES) == 3


@pytest.mark.parametrize("permission", Permission)
def test_system_has_no_permissions(permission: Permission) -> None:
    assert not system_actor("acc").can(permission)


def test_system_has_its_own_name() -> None:
    assert system_actor("acc") == Actor("system", "acc", "system", "system", frozenset())
    assert system_actor("acc", "auto-approval") == Actor("system", "acc", "system", "auto-approval", frozenset())


@pytest.mark.parametrize(("role", "is_admin"), [("owner", True), ("admin", True), ("editor", False), (None, False)])
def test_admins(role: Role | None, is_admin: bool) -> None:
    assert Actor("user", "acc", "usr", "a@example.com", frozenset(), role).is_admin is is_admin


def test_replaced_key_keeps_the_first_name() -> None:
    first = Actor("key", "acc", "key_1", "default", frozenset())
    second = Actor("key", "acc", "key_2", "default", frozenset(), lineage_id="key_1")
    assert first.requester_id == second.requester_id == "key_1"
