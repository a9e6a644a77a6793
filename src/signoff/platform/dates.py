"""Dates and times as people write them, in the language and the time zone of the reader."""

from datetime import UTC, date, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from babel import Locale
from babel.dates import format_date, format_skeleton, get_datetime_format
from babel.numbers import get_decimal_symbol


def read_zone(name: str | None) -> ZoneInfo:
    """Return the time zone. One that this machine doesn't know becomes UTC: better at another hour than never."""
    try:
        return ZoneInfo(name or "UTC")
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")


def format_time(at: datetime, locale: Locale, zone: tzinfo = UTC) -> str:
    there = at.astimezone(zone)
    return _append_time(format_day(there, locale), there, locale)


def format_recent_time(at: datetime, locale: Locale, zone: tzinfo = UTC) -> str:
    """Format a recent day, without the year."""
    there = at.astimezone(zone)
    return _append_time(format_skeleton("MMMMd", there, tzinfo=zone, locale=locale), there, locale)


def format_exact_time(at: datetime, locale: Locale, fraction: str = "") -> str:
    """Format a time in its own zone, with its seconds unless they're zero.

    `fraction` is the fraction of a second, in digits: a `datetime` only has six of them.
    """
    seconds = format_skeleton("Hms", at, tzinfo=at.tzinfo, locale=locale) if at.second or fraction else None
    if fraction:
        seconds = f"{seconds}{get_decimal_symbol(locale)}{fraction}"
    return _append_time(format_day(at, locale), at, locale, seconds)


def format_day(day: date, locale: Locale) -> str:
    return format_date(day, "long", locale)


def _append_time(day: str, there: datetime, locale: Locale, time: str | None = None) -> str:
    time = time or format_skeleton("Hm", there, tzinfo=there.tzinfo, locale=locale)
    return str(get_datetime_format("medium", locale)).replace("{1}", day).replace("{0}", f"{time} {_name_zone(there)}")


def _name_zone(there: datetime) -> str:
    """`UTC+5:30`: names and abbreviations of zones are known where they're used, and ambiguous elsewhere."""
    offset = there.utcoffset() or timedelta()
    hours, minutes = divmod(abs(offset) // timedelta(minutes=1), 60)
    if not (hours or minutes):
        return "UTC"
    return f"UTC{'-' if offset < timedelta() else '+'}{hours}{f':{minutes:02}' if minutes else ''}"
