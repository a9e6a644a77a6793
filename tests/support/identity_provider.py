"""A small OpenID Connect provider on loopback, with its own keys. It signs in the test's user without asking.

It checks what a real one checks: client, redirect URL, PKCE, that a code is used once. It misbehaves on request.
"""

import hashlib
import hmac
import json
import secrets
import time
from base64 import b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote, urlencode

from aiohttp import web
from joserfc import jwt
from joserfc.jwk import RSAKey

CLIENT_ID, CLIENT_SECRET = "signoff-tests", "s3cret: with/odd+signs"


@dataclass
class Misbehavior:
    """How the provider misbehaves. Each member is independent."""

    claims: dict[str, Any] = field(default_factory=dict)
    """Put over the ID token's own; a value of `None` takes the claim out."""
    algorithm: str = "RS256"
    unpublished_key: bool = False
    no_id_token: bool = False
    token_status: int = 200
    token_body: bytes | None = None
    discovery_status: int = 200
    discovery: dict[str, Any] = field(default_factory=dict)
    jwks_status: int = 200
    denies: str | None = None
    userinfo: dict[str, Any] | None = None
    """Claims that are told there instead of in the ID token."""


class IdentityProvider:
    def __init__(self) -> None:
        self.url = ""
        self.person: dict[str, Any] = {}
        self.wrong = Misbehavior()
        self.key = new_key()
        self.asked: list[str] = []
        """Paths that were asked for, in order."""
        self.tokens: list[str] = []
        """Every secret that it gave out or was given: none of them may be in a log."""
        self._codes: dict[str, dict[str, str]] = {}

    def signs_in(self, subject: str, **claims: Any) -> None:
        """From now on, this user signs in."""
        self.person = {"sub": subject, **claims}
        self.wrong = Misbehavior()

    def rotate_key(self) -> None:
        self.key = new_key()

    async def start(self, port: int = 0) -> web.AppRunner:
        app = web.Application()
        app.router.add_get("/.well-known/openid-configuration", self._discovery)
        app.router.add_get("/authorize", self._authorize)
        app.router.add_post("/token", self._token)
        app.router.add_get("/jwks", self._jwks)
        app.router.add_get("/userinfo", self._userinfo)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", port).start()
        self.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        return runner

    async def _discovery(self, request: web.Request) -> web.Response:
        self.asked.append(request.path)
        document = {
            "issuer": self.url,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "jwks_uri": f"{self.url}/jwks",
            "userinfo_endpoint": f"{self.url}/userinfo",
            "id_token_signing_alg_values_supported": ["RS256", "HS256", "none"],
            **self.wrong.discovery,
        }
        return web.json_response(document, status=self.wrong.discovery_status)

    async def _authorize(self, request: web.Request) -> web.Response:
        question = dict(request.query)
        assert question["response_type"] == "code"
        assert question["client_id"] == CLIENT_ID
        assert question["code_challenge_method"] == "S256"
        assert "openid" in question["scope"].split()
        params = {"state": question["state"]}
        if self.wrong.denies is not None:
            params["error"] = self.wrong.denies
        else:
            params["code"] = secrets.token_urlsafe(16)
            self._codes[params["code"]] = question
        self.tokens += [question["state"], question["nonce"], params.get("code", question["state"])]
        return web.Response(status=302, headers={"location": f"{question['redirect_uri']}?{urlencode(params)}"})

    async def _token(self, request: web.Request) -> web.Response:
        self.asked.append(request.path)
        if self.wrong.token_status != 200 or self.wrong.token_body is not None:
            body = self.wrong.token_body or b'{"error": "server_error"}'
            return web.Response(status=self.wrong.token_status, body=body, content_type="application/json")
        form = {name: str(value) for name, value in (await request.post()).items()}
        question = self._codes.pop(form["code"], None)
        if question is None:
            return web.json_response({"error": "invalid_grant"}, status=400)
        client, _, secret = b64decode(request.headers["authorization"].removeprefix("Basic ")).decode().partition(":")
        challenge = _base64url(hashlib.sha256(form["code_verifier"].encode()).digest())
        if (unquote(client), unquote(secret)) != (CLIENT_ID, CLIENT_SECRET):
            return web.json_response({"error": "invalid_client"}, status=401)
        if challenge != question["code_challenge"] or form["redirect_uri"] != question["redirect_uri"]:
            return web.json_response({"error": "invalid_grant"}, status=400)
        tokens = {"access_token": secrets.token_urlsafe(16), "token_type": "Bearer"}
        if not self.wrong.no_id_token:
            tokens["id_token"] = self._id_token(question["nonce"])
        self.tokens += [form["code_verifier"], *(tokens[name] for name in tokens if name != "token_type")]
        return web.json_response(tokens)

    def _id_token(self, nonce: str) -> str:
        moment = int(time.time())
        claims = {"iss": self.url, "aud": CLIENT_ID, "iat": moment, "exp": moment + 300, "nonce": nonce}
        claims |= {"sub": self.person["sub"]} if self.wrong.userinfo is not None else self.person
        claims |= self.wrong.claims
        claims = {name: value for name, value in claims.items() if value is not None}
        key = new_key() if self.wrong.unpublished_key else self.key
        if self.wrong.algorithm in {"HS256", "none"}:
            return self._forged(claims)
        header = {"alg": self.wrong.algorithm, "kid": key.kid}
        return jwt.encode(header, claims, key, algorithms=[self.wrong.algorithm])

    def _forged(self, claims: dict[str, Any]) -> str:
        """Unsigned, or with the public key used as a shared secret: no library would create these."""
        parts = [{"alg": self.wrong.algorithm, "kid": self.key.kid}, claims]
        text = ".".join(_base64url(json.dumps(part).encode()) for part in parts)
        signature = hmac.digest(self.key.as_pem(private=False), text.encode(), "sha256")
        return f"{text}.{_base64url(signature) if self.wrong.algorithm == 'HS256' else ''}"

    async def _jwks(self, request: web.Request) -> web.Response:
        self.asked.append(request.path)
        return web.json_response({"keys": [self.key.as_dict(private=False)]}, status=self.wrong.jwks_status)

    async def _userinfo(self, request: web.Request) -> web.Response:
        self.asked.append(request.path)
        assert request.headers["authorization"].removeprefix("Bearer ") in self.tokens
        return web.json_response({"sub": self.person["sub"], **(self.wrong.userinfo or {})})


def new_key() -> RSAKey:
    return RSAKey.generate_key(2048, auto_kid=True)


def _base64url(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")
