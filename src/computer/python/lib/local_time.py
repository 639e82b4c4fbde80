"""Local time: that of the browser, or of the zone in TZ."""

import os
import time

from _sandglass.kernel import calls


def follow():
    """Implements time.tzset, which the interpreter's C library has but the interpreter does not expose."""
    calls.followZone(os.environ.get("TZ"))
    year = time.gmtime().tm_year
    zones = [time.localtime(time.mktime((year, month, 1, 0, 0, 0, 0, 0, -1))) for month in (1, 7)]
    zones.sort(key=lambda local: local.tm_gmtoff)
    time.timezone, time.altzone = (-local.tm_gmtoff for local in zones)
    time.daylight = int(time.timezone != time.altzone)
    time.tzname = tuple(local.tm_zone for local in zones)
