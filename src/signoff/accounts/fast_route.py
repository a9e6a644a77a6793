"""A shorter way to a route's function, for the one that is called most."""

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response

from signoff.accounts.access import RequirePermission
from signoff.platform.http import JsonRequest, JsonRoute


class FastRoute(JsonRoute):
    """Declared and documented like any other route, but run without the framework's machinery.

    Solving the dependencies of `POST /requestReview` took as long as checking and storing the review. Its function
    takes `request`, `caller` and `body`; who may call it and what the body is are read off its declaration, once.
    """

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        endpoint = self.endpoint
        permit = next(each.call for each in self.dependant.dependencies if isinstance(each.call, RequirePermission))
        model = self.body_model()

        async def handle(request: Request) -> Response:
            caller = await permit(request)
            request = JsonRequest(request.scope, request.receive, model)
            return await endpoint(request=request, caller=caller, body=await request.json())

        return handle
