from typing import Annotated, Literal

from fastapi import Path
from pydantic import Field

from signoff.platform.schemas import Answer

DeliveryId = Annotated[str, Path(alias="deliveryId", max_length=128)]
Status = Literal["pending", "delivering", "succeeded", "retrying", "dead"]


class Attempt(Answer):
    attempt_id: str = Field(examples=["attempt-1"])
    ok: bool
    status_code: int | None = None
    scheduled_by: Literal["inline", "cloud-task", "manual"]
    at: str
    status_text: str | None = None
    error: str | None = Field(None, description="What kept an HTTP status from coming.")
    duration_ms: int | None = None


class DeliveryRow(Answer):
    """A delivery in a list: without its attempts."""

    account_id: str
    delivery_id: str
    status: Status
    ok: bool
    status_code: int | None = None
    status_text: str | None = None
    event: str
    target: Literal["agent", "tool", "audit"]
    url_source: Literal["request", "form", "agent", "account"]
    webhook: str
    review_id: str | None = None
    form_id: str | None = None
    form_name: str | None = None
    agent_id: str
    session_id: str
    attempt_count: int
    max_attempts: int
    next_retry_at: str | None = None
    retries_cancelled: bool
    triggered_at: str
    updated_at: str


class Delivery(DeliveryRow):
    attempts: list[Attempt]
