"""The identity provider: its metadata, and the identities it confirms.

Imported only if one is configured: the libraries it needs take 9 MB. Its URL comes from the operator and may well be
inside their network, so the guarded client isn't used. Its responses are limited in time and size all the same.
"""

import asyncio
import time
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import quote, urlencode

import httpx
import orjson
from authlib.oauth2 import rfc7636
from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.errors import InvalidKeyIdError, JoseError
from joserfc.jwk import KeySet
from joserfc.jws import JWSRegistry

from signoff.accounts.oidc.errors import OidcTokenInvalid, OidcUnavailable
from signoff.accounts.oidc.identity import Identity
from signoff.accounts.oidc.pending_logins import NewLogin, PendingLogin
from signoff.platform.logs import get_logger
from signoff.platform.messages import msg
from signoff.platform.settings import Settings, is_secure_url

log = get_logger("oidc")

SCOPE = "openid email profile"
CACHE_SECONDS = 3600.0
TIME_LIMIT = 10.0
MAX_RESPONSE_BYTES = 1024 * 1024
CLOCK_SKEW = 60
MAX_SUBJECT_LENGTH = 255
ASYMMETRIC = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519")


@dataclass(frozen=True, slots=True)
class Metadata:
    """The part of the provider's discovery document that we need."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    userinfo_endpoint: str | None
    algorithms: tuple[str, ...]
    secret_in_body: bool
    """The provider only accepts the client's secret in the body, not in a header."""


class IdentityProvider:
    """The provider's client, one per process. It caches the provider's metadata for an hour."""

    def __init__(self, settings: Settings) -> None:
        assert settings.oidc_issuer is not None
        assert settings.oidc_client_id is not None
        self._issuer = settings.oidc_issuer
        self._client_id = settings.oidc_client_id
        self._client_secret = settings.oidc_client_secret
        self._redirect_uri = f"{settings.api_url}/auth/oidc/callback"
        self._http = httpx.AsyncClient(timeout=TIME_LIMIT, follow_redirects=False)
        self._metadata: Metadata | None = None
        self._keys: KeySet | None = None
        self._read_at = 0.0
        self._reading = asyncio.Lock()

    async def close(self) -> None:
        await self._http.aclose()

    async def authorization_url(self, login: NewLogin) -> str:
        metadata = await self.metadata()
        question = {
            "response_type": "code",
            "client_id": self._client_id,
            "redirect_uri": self._redirect_uri,
            "scope": SCOPE,
            "state": login.state,
            "nonce": login.nonce,
            "code_challenge": str(cast(Any, rfc7636).create_s256_code_challenge(login.verifier)),
            "code_challenge_method": "S256",
        }
        joint = "&" if "?" in metadata.authorization_endpoint else "?"
        return f"{metadata.authorization_endpoint}{joint}{urlencode(question)}"

    async def identify(self, code: str, begun: PendingLogin) -> Identity:
        """Exchange the code for an ID token, verify it, and return the identity in it."""
        metadata = await self.metadata()
        tokens = await self._exchange(metadata, code, begun.verifier)
        claims = await self._verified_claims(metadata, tokens, begun.nonce)
        subject = claims.get("sub")
        if not isinstance(subject, str) or not 0 < len(subject) <= MAX_SUBJECT_LENGTH:
            raise _invalid("no usable subject")
        if "email" not in claims and metadata.userinfo_endpoint is not None:
            claims |= await self._userinfo(metadata.userinfo_endpoint, tokens, subject)
        email, verified, name = (claims.get(each) for each in ("email", "email_verified", "name"))
        return Identity(
            metadata.issuer,
            subject,
            email if isinstance(email, str) else None,
            verified is True or verified == "true",  # some providers send it as text
            name if isinstance(name, str) else None,
        )

    async def metadata(self) -> Metadata:
        async with self._reading:
            if self._metadata is None or time.monotonic() - self._read_at > CACHE_SECONDS:
                url = f"{self._issuer.rstrip('/')}/.well-known/openid-configuration"
                self._metadata = _read_metadata(self._issuer, await self._fetch_json("GET", url))
                self._keys = None
                self._read_at = time.monotonic()
            return self._metadata

    async def _exchange(self, metadata: Metadata, code: str, verifier: str) -> dict[str, Any]:
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self._redirect_uri,
            "code_verifier": verifier,
        }
        headers: dict[str, str] = {}
        if self._client_secret is None:
            form["client_id"] = self._client_id
        elif metadata.secret_in_body:
            form |= {"client_id": self._client_id, "client_secret": self._client_secret}
        else:
            # RFC 6749 requires both to be form-encoded before they are joined.
            credentials = f"{quote(self._client_id, safe='')}:{quote(self._client_secret, safe='')}"
            headers["authorization"] = f"Basic {b64encode(credentials.encode()).decode()}"
        return await self._fetch_json("POST", metadata.token_endpoint, form=form, headers=headers)

    async def _verified_claims(self, metadata: Metadata, tokens: dict[str, Any], nonce: str) -> dict[str, Any]:
        id_token = tokens.get("id_token")
        if not isinstance(id_token, str):
            raise _invalid("no ID token")
        try:
            try:
                token = _decode(id_token, await self._key_set(metadata), metadata.algorithms)
            except InvalidKeyIdError:  # the provider has rotated its keys since we read them
                token = _decode(id_token, await self._key_set(metadata, anew=True), metadata.algorithms)
            options = {
                "iss": {"essential": True, "value": metadata.issuer},
                "aud": {"essential": True, "value": self._client_id},
            }
            params = {"nonce": nonce, "client_id": self._client_id, "access_token": tokens.get("access_token")}
            claims = cast(Any, CodeIDToken)(token.claims, token.header, options, params)
            claims.validate(leeway=CLOCK_SKEW)
        except (JoseError, ValueError, TypeError, KeyError) as error:
            # The library's message names claims and algorithms, never the token.
            raise _invalid(f"the ID token is not valid ({type(error).__name__}: {error})") from None
        return dict(token.claims)

    async def _key_set(self, metadata: Metadata, *, anew: bool = False) -> KeySet:
        if self._keys is None or anew:
            self._keys = KeySet.import_key_set(cast(Any, await self._fetch_json("GET", metadata.jwks_uri)))
        return self._keys

    async def _userinfo(self, url: str, tokens: dict[str, Any], subject: str) -> dict[str, Any]:
        headers = {"authorization": f"Bearer {tokens.get('access_token', '')}"}
        claims = await self._fetch_json("GET", url, headers=headers)
        if claims.get("sub") != subject:
            raise _invalid("userinfo is for another subject")
        return {name: claims[name] for name in ("email", "email_verified", "name") if name in claims}

    async def _fetch_json(
        self, method: str, url: str, form: Mapping[str, str] | None = None, headers: Mapping[str, str] | None = None
    ) -> dict[str, Any]:
        """Return the JSON object that the provider responds with."""
        try:
            async with (
                asyncio.timeout(TIME_LIMIT),
                self._http.stream(
                    method, url, data=form, headers={"accept": "application/json", **(headers or {})}
                ) as answer,
            ):
                body = await _limit_length(answer)
        except (httpx.HTTPError, httpx.InvalidURL, TimeoutError, ValueError) as error:
            log.warning("identity provider unreachable", url=url, error=type(error).__name__)
            raise OidcUnavailable(
                msg("Your identity provider isn't responding. Try again later."),
                reason=f"no response ({type(error).__name__})",
            ) from None
        document = _json_object(body)
        if answer.is_success and document is not None:
            return document
        reason = str((document or {}).get("error", ""))[:100]
        log.warning("identity provider rejected the request", url=url, status=answer.status_code, error=reason)
        if form is not None and answer.is_client_error:
            raise _invalid("authorization code rejected")
        raise OidcUnavailable(
            msg("Your identity provider returned an error. Try again later."),
            reason=f"status {answer.status_code} instead of a JSON document",
        )


async def _limit_length(answer: httpx.Response) -> bytes:
    body = bytearray()
    async for chunk in answer.aiter_bytes():
        body += chunk
        if len(body) > MAX_RESPONSE_BYTES:
            raise ValueError("too large")
    return bytes(body)


def _json_object(body: bytes) -> dict[str, Any] | None:
    try:
        document = orjson.loads(body)
    except orjson.JSONDecodeError:
        return None
    return cast(dict[str, Any], document) if isinstance(document, dict) else None


def _decode(id_token: str, keys: KeySet, algorithms: tuple[str, ...]) -> jwt.Token:
    return jwt.decode(id_token, keys, registry=JWSRegistry(algorithms=algorithms, strict_check_header=False))


def _read_metadata(issuer: str, document: dict[str, Any]) -> Metadata:
    """Check that every URL is as secure as the issuer's own, and that the issuer is the one that the operator
    configured.
    """
    issuer_claim = document.get("issuer")
    endpoints = {name: document.get(name) for name in ("authorization_endpoint", "token_endpoint", "jwks_uri")}
    userinfo = document.get("userinfo_endpoint")
    wrong = [name for name, url in endpoints.items() if not isinstance(url, str) or not is_secure_url(url)]
    if not isinstance(issuer_claim, str) or issuer_claim.rstrip("/") != issuer.rstrip("/"):
        wrong.append("issuer")
    if wrong:
        log.error("invalid discovery document", wrong=wrong)
        raise OidcUnavailable(
            msg("Your identity provider is misconfigured. Contact the operator of this server."),
            reason=f"its discovery document is invalid ({', '.join(wrong)})",
        )
    announced = document.get("id_token_signing_alg_values_supported") or ["RS256"]
    methods = document.get("token_endpoint_auth_methods_supported") or ["client_secret_basic"]
    return Metadata(
        issuer=cast(str, issuer_claim),
        authorization_endpoint=str(endpoints["authorization_endpoint"]),
        token_endpoint=str(endpoints["token_endpoint"]),
        jwks_uri=str(endpoints["jwks_uri"]),
        userinfo_endpoint=userinfo if isinstance(userinfo, str) and is_secure_url(userinfo) else None,
        algorithms=tuple(name for name in ASYMMETRIC if name in announced),
        secret_in_body="client_secret_basic" not in methods and "client_secret_post" in methods,
    )


def _invalid(why: str) -> OidcTokenInvalid:
    log.warning("identity provider response rejected", why=why)
    return OidcTokenInvalid(msg("We couldn't verify the response from your identity provider. Try again."))
