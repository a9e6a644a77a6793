"""The baseline for `POST /requestReview`: a bare FastAPI route that inserts the same row with asyncpg.

No key, no validation beyond the body's form, no job, no audit, no log line. Same server, same pool, same JSON library.
"""

import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI
from pydantic import BaseModel

from signoff.platform.db import Database
from signoff.platform.ids import new_id

CREATE_TABLE = """
    drop table if exists bare_reviews;
    create table bare_reviews as
        select r.*, v.data, v.config, v.meta
        from reviews r join review_revisions v using (account_id, review_id, revision)
        with no data;
    alter table bare_reviews alter column created_at set default now(), alter column updated_at set default now(),
        add primary key (account_id, review_id);
"""


class RequestBody(BaseModel):
    formId: str  # noqa: N815
    data: dict[str, Any]
    meta: dict[str, Any] | None = None


def create_app() -> FastAPI:
    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncGenerator[None]:
        app.state.db = await Database.connect(os.environ["SIGNOFF_DATABASE_URL"])
        yield
        await app.state.db.close()

    app = FastAPI(lifespan=lifespan)

    @app.post("/requestReview")
    async def insert(body: RequestBody) -> dict[str, str]:
        review_id, session_id = new_id("rev"), new_id("ses")
        await app.state.db.execute(
            """
            insert into bare_reviews
                (account_id, review_id, agent_id, form_id, form_version, form_name, session_id, title, state, revision,
                 data, meta)
            values ($1, $2, $3, $4, $5, $6, $7, $8, 'pending', 1, $9, $10)
            """,
            "acc_bench",
            review_id,
            "agt_bench",
            body.formId,
            1,
            "Bench",
            session_id,
            "Bench",
            body.data,
            body.meta,
        )
        return {"reviewId": review_id, "sessionId": session_id, "svcLink": "http://127.0.0.1/reviews/" + review_id}

    return app
