"""`signoff sign-in-link`: restores access for someone who has no admin to ask."""

import json

import httpx
import pytest
from support.prepared_data_dir import EMAIL as OWNER
from support.prepared_data_dir import PASSWORD as OWNERS_PASSWORD
from support.service_process import RunningService
from support.terminal import Serving, Terminal, assert_one_line

EMAIL, PASSWORD, NEW_PASSWORD = "anna@example.com", "correct horse battery", "another horse, another battery"
OPTIONS = ("init", "--email", EMAIL, "--password", PASSWORD, "--json")


def sign_in(api: str, link: str) -> httpx.Response:
    token = httpx.URL(link.strip()).params["token"]
    return httpx.post(f"{api}/auth/link", json={"token": token, "password": NEW_PASSWORD}, timeout=60)


def test_while_the_service_runs(service: RunningService, new_terminal: Terminal) -> None:
    """The link leads to the running service, works once, sets the password, and is in the audit log."""
    with httpx.Client(base_url=service.api, timeout=60) as owner:
        signed_in = owner.post("/auth/login", json={"email": OWNER, "password": OWNERS_PASSWORD})
        assert signed_in.status_code == 200
        invited = owner.post("/users", json={"email": EMAIL, "role": "admin"}).json()
    token = httpx.URL(invited["invitationLink"]).params["token"]
    response = httpx.post(f"{service.api}/auth/link", json={"token": token, "password": PASSWORD}, timeout=60)
    assert response.status_code == 200
    result = new_terminal.run("sign-in-link", "Anna@Example.com", data_dir=service.data_dir, port=1)
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith(f"{service.url}/sign-in?token=sgl_")
    assert result.stdout.count("\n") == 1
    assert_one_line(result.stderr, "works once")
    token = httpx.URL(result.stdout.strip()).params["token"]
    info = httpx.post(f"{service.api}/auth/linkInfo", json={"token": token}, timeout=60).json()
    assert (info["purpose"], info["email"]) == ("password_reset", EMAIL)
    signed_in = sign_in(service.api, result.stdout)
    assert signed_in.status_code == 200
    log = httpx.get(
        f"{service.api}/auditLog", cookies=signed_in.cookies, params={"action": "user.sign_in_link_made"}, timeout=60
    )
    of_hers = [entry for entry in log.json()["items"] if entry["objectId"] == signed_in.json()["user"]["userId"]]
    assert len(of_hers) == 1
    assert sign_in(service.api, result.stdout).status_code == 401
    for password, status in ((PASSWORD, 401), (NEW_PASSWORD, 200)):
        answer = httpx.post(f"{service.api}/auth/login", json={"email": EMAIL, "password": password}, timeout=60)
        assert answer.status_code == status


@pytest.mark.slow
def test_while_the_service_is_stopped(terminal: Terminal) -> None:
    assert terminal.run(*OPTIONS).returncode == 0
    result = terminal.run("sign-in-link", EMAIL)
    assert result.returncode == 0, result.stderr
    serving = terminal.serve()
    serving.wait_for(serving.url)
    assert sign_in(serving.api, result.stdout).status_code == 200


def test_on_an_outside_database(service: RunningService, new_terminal: Terminal) -> None:
    """Any database that the terminal can reach; the link uses the URL in the settings."""
    email = "owner@example.com"
    result = new_terminal.run(
        "sign-in-link", email, database_url=service.dsn(), public_url="https://signoff.example.com"
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("https://signoff.example.com/sign-in?token=")
    assert not new_terminal.data_dir.exists()
    # Read, but not used: other tests need the password.
    token = httpx.URL(result.stdout.strip()).params["token"]
    assert httpx.post(f"{service.api}/auth/linkInfo", json={"token": token}, timeout=60).json()["email"] == email


@pytest.mark.parametrize("email", ["nobody@example.com", "", "x' or 'a'='a", "anna"])
def test_unknown_email(service: RunningService, new_terminal: Terminal, email: str) -> None:
    refused = new_terminal.run("sign-in-link", email, data_dir=service.data_dir)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert_one_line(refused.stderr, "No member with the email")


def test_former_member(service: RunningService, new_terminal: Terminal) -> None:
    manage = {"x-api-key": service.workspace["manageKey"]}
    email = "gone-for-now@example.com"
    with httpx.Client(base_url=service.api, headers=manage, timeout=60) as client:
        response = client.post("/users", json={"email": email, "role": "reviewer"})
        assert (response.status_code, response.json()["disabled"]) == (201, True), (
            "a key's invitation waits for an admin"
        )
    refused = new_terminal.run("sign-in-link", email, data_dir=service.data_dir)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert_one_line(refused.stderr, f"{email} is deactivated")


def test_no_workspace(new_terminal: Terminal) -> None:
    """A mistyped data directory isn't created."""
    refused = new_terminal.run("sign-in-link", EMAIL)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert_one_line(refused.stderr, "Data directory", "doesn't exist")
    assert not new_terminal.data_dir.exists()


@pytest.mark.slow
def test_before_the_first_sign_in(terminal: Terminal, serving: Serving) -> None:
    """The owner of a workspace that isn't set up gets the whole setup page, as after the first start."""
    result = terminal.run("sign-in-link", "owner@example.com")
    token = httpx.URL(result.stdout.strip()).params["token"]
    info = httpx.post(f"{serving.api}/auth/linkInfo", json={"token": token}, timeout=60)
    assert json.loads(info.text)["purpose"] == "first_run"
