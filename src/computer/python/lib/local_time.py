"""The local time: that of the browser, or the one that TZ names."""

import os
import time

from _sandglass.kernel import calls


def follow():
    """What time.tzset does: the C library of the interpreter has it, and the interpreter does not offer it."""
    calls.followZone(os.environ.get("TZ"))
    year = time.gmtime().tm_year
    zones = [time.localtime(time.mktime((year, month, 1, 0, 0, 0, 0, 0, -1))) for month in (1, 7)]
    zones.sort(key=lambda local: local.tm_gmtoff)
    time.timezone, time.altzone = (-local.tm_gmtoff for local in zones)
    time.daylight = int(time.timezone != time.altzone)
    time.tzname = tuple(local.tm_zone for local in zones)
