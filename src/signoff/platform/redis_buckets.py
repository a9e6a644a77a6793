"""Rate limits in Redis. Imported only if Redis is configured: its client takes 5 MB."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, cast

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from signoff.platform.rate_limits import BucketsUnreachable, Rate, RateLimitResult, build_result

REDIS_TIMEOUT = 0.25
REDIS_CONNECTIONS = 16

# The same as `take_token`, with Redis's clock, in one atomic step.
TAKE_SCRIPT = """
local now = redis.call('TIME')
local moment = now[1] * 1000000 + now[2]
local step, whole = tonumber(ARGV[1]), tonumber(ARGV[2])
local full_at = math.min(math.max(tonumber(redis.call('GET', KEYS[1]) or 0), moment), moment + whole)
local allowed = full_at + step <= moment + whole
if allowed then
    full_at = full_at + step
    redis.call('SET', KEYS[1], string.format('%.0f', full_at), 'PX', math.ceil((full_at - moment) / 1000))
end
return {allowed and 1 or 0, full_at - moment}
"""


class RedisBuckets:
    """Buckets in Redis, shared by all processes that use it."""

    def __init__(self, url: str) -> None:
        # The client's own retries would only delay the caller; without a response we use this process's buckets.
        pool = BlockingConnectionPool.from_url(
            url,
            max_connections=REDIS_CONNECTIONS,
            timeout=REDIS_TIMEOUT,
            socket_timeout=REDIS_TIMEOUT,
            socket_connect_timeout=REDIS_TIMEOUT,
            retry=Retry(NoBackoff(), 0),
        )
        self._redis = Redis.from_pool(pool)
        self._take = cast(Any, self._redis.register_script(TAKE_SCRIPT))

    async def take(self, name: str, rate: Rate) -> RateLimitResult:
        async with limit_time():
            allowed, missing = await self._take(keys=[f"signoff:rate:{name}"], args=[rate.step, rate.whole])
        return build_result(allowed == 1, missing, rate)

    async def reach(self) -> None:
        async with limit_time():
            await cast(Any, self._redis).ping()

    async def close(self) -> None:
        await self._redis.aclose()


@asynccontextmanager
async def limit_time() -> AsyncGenerator[None]:
    try:
        async with asyncio.timeout(REDIS_TIMEOUT):
            yield
    except (RedisError, OSError) as error:  # including the timeout
        raise BucketsUnreachable(str(error) or "no response") from error
