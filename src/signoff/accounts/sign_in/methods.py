"""The sign-in methods of this installation, which anyone may see."""

from signoff.accounts.setup import find_unclaimed_owner
from signoff.accounts.sign_in.schemas import OidcMethod, SignInMethods
from signoff.accounts.sign_in.visitor import Visitor


async def list_methods(visitor: Visitor) -> SignInMethods:
    settings = visitor.settings
    oidc = OidcMethod(name=settings.oidc_name, start_url=f"{settings.api_url}/auth/oidc/start")
    return SignInMethods(
        oidc=oidc if settings.oidc_issuer is not None else None,
        mail=settings.smtp_host is not None,
        first_run=await find_unclaimed_owner(visitor.db) is not None,
    )
