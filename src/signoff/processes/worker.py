"""The worker process: every domain's jobs on one queue."""

import asyncio
import signal
from collections.abc import Callable
from functools import partial
from typing import Final

from prometheus_client import start_http_server

from signoff.accounts.cleanup import clean_up_usage, delete_expired
from signoff.accounts.sign_in.password_resets import PASSWORD_RESET_JOB, send_password_reset
from signoff.insights.rollups import roll_up_regularly
from signoff.media.copies import RELEASE, CopyChannel, delete_old_copy_messages
from signoff.media.references import DELETE_MEDIA_JOB, delete_unused_media
from signoff.media.store import MediaStore
from signoff.media.urls import load_media_secret
from signoff.notifications.chat_apps.channel import PostChannel
from signoff.notifications.chat_apps.click_jobs import ClickJob
from signoff.notifications.chat_apps.clicks import CLICK_JOB, delete_old_clicks
from signoff.notifications.chat_apps.post_planner import plan_posts
from signoff.notifications.chat_apps.posts import delete_old_posts
from signoff.notifications.chat_apps.registry import build_apps, build_slack
from signoff.notifications.mail.channel import MailChannel, delete_old_mails
from signoff.notifications.notification_loop import NotificationLoop
from signoff.notifications.review_mails.instant_mails import delete_old_notifications
from signoff.notifications.review_mails.planner import MailPlanner
from signoff.platform.db import Database
from signoff.platform.guarded_http import GuardedClient
from signoff.platform.heartbeat import send_heartbeats
from signoff.platform.jobs.runner import JobGroup, JobRunner
from signoff.platform.jobs.work_loop import WorkLoop
from signoff.platform.outbox.sender import OutboxSender
from signoff.platform.process import freeze_gc, share_memory_between_threads
from signoff.platform.pubsub import PubSub
from signoff.platform.settings import Settings
from signoff.platform.storage import open_storage, set_private_umask
from signoff.platform.worker_heartbeats import WorkerHeartbeats
from signoff.reviews import housekeeping as reviews
from signoff.reviews.deadline_jobs import DeadlineJob
from signoff.reviews.deadlines import DEADLINE_JOB
from signoff.reviews.retry_reminders import REMIND_AGENT_JOB, RetryReminders
from signoff.triggers.rate_limits import delete_old_submissions
from signoff.webhooks.channel import WebhookChannel
from signoff.webhooks.media_waits import MediaWaits

JOB_CONCURRENCY: Final = 500


async def run_process(settings: Settings, dsn: str) -> None:
    """Run until SIGTERM or SIGINT, as a process of its own."""
    set_private_umask()
    share_memory_between_threads()
    if settings.worker_metrics_port is not None:
        start_http_server(settings.worker_metrics_port, settings.host)
    stop, heartbeats = asyncio.Event(), list[asyncio.Task[None]]()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)

    def ready() -> None:
        heartbeats.append(asyncio.create_task(send_heartbeats()))
        freeze_gc()

    try:
        await run_worker(settings, dsn, stop, ready)
    finally:
        for task in heartbeats:
            task.cancel()


async def run_worker(settings: Settings, dsn: str, stop: asyncio.Event, ready: Callable[[], None]) -> None:
    """Run until `stop`, then finish running jobs or requeue them. Calls `ready` once before it starts."""
    db = await _connect(settings, dsn, stop)
    if db is None:
        return
    settings = await load_media_secret(db, settings)
    store = MediaStore(db, open_storage(settings), settings)
    async with (
        GuardedClient(settings.outgoing_networks, limit=settings.webhook_concurrency) as client,
        GuardedClient(settings.outgoing_networks, limit=settings.media_concurrency) as media_client,
        GuardedClient(settings.outgoing_networks, limit=2 * settings.chat_concurrency) as chat_client,
    ):
        media_waits = MediaWaits(db, settings)
        overdue = DeadlineJob(db, settings)
        reminders = RetryReminders(db, settings)
        copies = CopyChannel(db, store, media_client, settings)
        plans = [MailPlanner(settings).plan_people, partial(plan_posts, burst=settings.chat_burst)]
        pubsub = PubSub(db)
        notification_loop = NotificationLoop(db, pubsub, plans, interval=settings.poll_interval)
        mails = MailChannel(db, settings)
        mails.announce()
        posts = PostChannel(db, settings, build_apps(chat_client, settings))
        clicks = ClickJob(db, settings, build_slack(chat_client, settings))
        deliveries = WebhookChannel(db, client, settings)
        outbox = OutboxSender(db, settings, [deliveries, mails, copies, posts])
        jobs = JobRunner(
            db,
            settings,
            [
                JobGroup(
                    {
                        RELEASE: media_waits.release,
                        DEADLINE_JOB: overdue.run,
                        REMIND_AGENT_JOB: reminders.remind,
                        DELETE_MEDIA_JOB: store.remove,
                        PASSWORD_RESET_JOB: partial(send_password_reset, db, settings),
                    },
                    concurrency=JOB_CONCURRENCY,
                ),
                JobGroup({CLICK_JOB: clicks.carry_out}, concurrency=settings.chat_concurrency),
            ],
        )
        work_loop = WorkLoop(
            db,
            settings,
            [jobs, outbox],
            cleanups=[
                lambda: delete_expired(db),
                lambda: reviews.delete_expired_rows(db),
                lambda: clean_up_usage(db),
                lambda: delete_old_submissions(db),
                lambda: delete_old_mails(db),
                lambda: delete_old_copy_messages(db),
                lambda: delete_old_notifications(db),
                lambda: delete_old_posts(db),
                lambda: delete_old_clicks(db),
                lambda: delete_unused_media(db, settings.unused_media_days),
            ],
        )
        heartbeats = WorkerHeartbeats(db, settings.worker_lost_after)
        beside = [asyncio.create_task(heartbeats.run()), asyncio.create_task(_stop_reading(pubsub, stop))]
        ready()
        try:
            async with asyncio.TaskGroup() as loops:
                loops.create_task(work_loop.run(stop))
                loops.create_task(jobs.run(stop))
                loops.create_task(outbox.run(stop, settings.shutdown_grace))
                loops.create_task(notification_loop.run())
                loops.create_task(roll_up_regularly(db, stop))
        finally:
            for task in beside:
                task.cancel()
            await store.close()
            await heartbeats.end()
            await db.close()


async def _connect(settings: Settings, dsn: str, stop: asyncio.Event) -> Database | None:
    """Connect, or return None if stopped first: a restarting database gets some time to come back."""
    connecting = asyncio.create_task(
        Database.connect(dsn, size=settings.database_pool_size, application="signoff worker")
    )
    stopping = asyncio.create_task(stop.wait())
    await asyncio.wait({connecting, stopping}, return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    if not connecting.done():
        connecting.cancel()
        return None
    return await connecting


async def _stop_reading(pubsub: PubSub, stop: asyncio.Event) -> None:
    await stop.wait()
    pubsub.stop()
