"""A shortcut to a route's function, for the routes that are called most."""

from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Literal

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ValidationError, create_model

from signoff.accounts.dependencies import RequirePermission
from signoff.platform.http.json_routes import JsonRequest, JsonRoute


class FastRoute(JsonRoute):
    """A route that is declared and documented like any other, but runs without the framework's dependency injection.

    Its function takes a caller and returns a response. It can also take the request, parameters of the path and the
    query, and a body. What the function declares is read once.
    """

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        endpoint: Callable[..., Coroutine[Any, Any, Response]] = self.endpoint
        declared = self.dependant
        [caller] = declared.dependencies
        permit, caller_name = caller.call, caller.name
        assert isinstance(permit, RequirePermission), f"{self.path} depends on something other than a permission"
        assert caller_name is not None
        assert not declared.header_params, f"{self.path} declares headers"
        assert not declared.cookie_params, f"{self.path} declares cookies"
        assert self.response_model is None, f"{self.path} doesn't return a response"
        ensure_known_parameters = self.parameter_check()
        path, query = _to_model(declared.path_params), _to_model(declared.query_params)
        model = self.body_model()
        body_name = declared.body_params[0].name if declared.body_params else None

        async def handle(request: Request) -> Response:
            given: dict[str, Any] = {caller_name: await permit(request)}
            ensure_known_parameters(request)
            if path is not None:
                given |= _validate(path, "path", request.path_params)
            if query is not None:
                given |= _validate(query, "query", dict(request.query_params))
            if body_name is not None:
                request = JsonRequest(request.scope, request.receive, model)
                given[body_name] = await request.json()
            if declared.request_param_name is not None:
                given[declared.request_param_name] = request
            return await endpoint(**given)

        return handle


def _to_model(parameters: Sequence[Any]) -> type[BaseModel] | None:
    """Return a model with all these parameters, none of which can be repeated."""
    fields: dict[str, Any] = {each.name: (each.field_info.annotation, each.field_info) for each in parameters}
    return create_model("Parameters", **fields) if fields else None


def _validate(model: type[BaseModel], place: Literal["path", "query"], given: dict[str, Any]) -> dict[str, Any]:
    try:
        return vars(model.model_validate(given))
    except ValidationError as error:
        errors = error.errors(include_url=False, include_input=False)
        raise RequestValidationError([{**each, "loc": (place, *each["loc"])} for each in errors]) from None
