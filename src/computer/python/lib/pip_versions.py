"""Versions of Python packages, and the specifiers that limit them (PEP 440)."""

import re

from pip.packages import Refused

VERSION = re.compile(
    r"""v?(?:(?P<epoch>\d+)!)?(?P<release>\d+(?:\.\d+)*)
    (?:[-_.]?(?P<pre>alpha|beta|preview|pre|rc|a|b|c)[-_.]?(?P<pre_number>\d*))?
    (?:-(?P<post_dash>\d+)|[-_.]?(?P<post>post|rev|r)[-_.]?(?P<post_number>\d*))?
    (?:[-_.]?(?P<dev>dev)[-_.]?(?P<dev_number>\d*))?
    (?:\+(?P<local>[a-z0-9]+(?:[-_.][a-z0-9]+)*))?""",
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
SPECIFIER = re.compile(r"\s*(===|==|~=|!=|<=|>=|<|>)\s*(\S+)\s*", re.ASCII)
PRE = {"alpha": "a", "beta": "b", "c": "rc", "pre": "rc", "preview": "rc"}
LAST = float("inf")


class Invalid(Refused):
    """A version or a specifier that is none."""


class Version:
    def __init__(self, text):
        match = VERSION.fullmatch(text.strip())
        if not match:
            raise Invalid(f"Invalid version: {text!r}")
        self.epoch = int(match["epoch"] or 0)
        self.release = tuple(int(part) for part in match["release"].split("."))
        letter = (match["pre"] or "").lower()
        self.pre = (PRE.get(letter, letter), int(match["pre_number"] or 0)) if letter else None
        is_post = match["post"] or match["post_dash"]
        self.post = int(match["post_dash"] or match["post_number"] or 0) if is_post else None
        self.dev = int(match["dev_number"] or 0) if match["dev"] else None
        self.local = tuple(re.split(r"[-_.]", match["local"].lower())) if match["local"] else ()

    @property
    def base(self):
        """Epoch and release, without final zeros."""
        release = self.release
        while len(release) > 1 and release[-1] == 0:
            release = release[:-1]
        return self.epoch, release

    @property
    def is_prerelease(self):
        return self.pre is not None or self.dev is not None

    @property
    def public(self):
        """Sort key without the local part. A development release is before the pre-releases of its version."""
        is_development_only = self.pre is None and self.post is None and self.dev is not None
        pre = ("", 0) if is_development_only else self.pre or ("~", 0)
        return *self.base, pre, -1 if self.post is None else self.post, LAST if self.dev is None else self.dev

    @property
    def key(self):
        """Sort key. Numbers of a local part are after its words."""
        return *self.public, tuple((1, int(part), "") if part.isdigit() else (0, 0, part) for part in self.local)


def order(text):
    """Sort key of a version's text."""
    return Version(text).key


def is_version(text):
    return VERSION.fullmatch(text.strip()) is not None


def split(specifiers):
    """Splits `>=1,<2` into pairs of operator and version."""
    found = []
    for part in specifiers.split(","):
        if not part.strip():
            continue
        match = SPECIFIER.fullmatch(part)
        if not match or not may_follow(match[1], match[2]):
            raise Invalid(f"Invalid specifier: {part.strip()!r}")
        found.append((match[1], match[2]))
    return found


def may_follow(operator, wanted):
    """Returns whether an operator takes this version: `==` takes `1.*` too, and `~=` needs two numbers."""
    if operator == "===":
        return True
    version = wanted.removesuffix(".*") if operator in ("==", "!=") else wanted
    return is_version(version) and (operator != "~=" or len(Version(version).release) > 1)


def satisfies(version, specifiers):
    """Returns whether a version is within all specifiers, pre-releases included."""
    return all(holds(version, operator, wanted) for operator, wanted in split(specifiers))


def names_prerelease(specifiers):
    """Returns whether a specifier itself asks for a pre-release."""
    asking = [wanted for operator, wanted in split(specifiers) if operator not in ("!=", "<", ">") and is_version(wanted)]
    return any(Version(wanted).is_prerelease for wanted in asking)


def holds(text, operator, wanted):
    if operator == "===":
        return text.strip().lower() == wanted.lower()
    version = Version(text)
    if wanted.endswith(".*"):
        return starts_with(version, Version(wanted[:-2])) == (operator == "==")
    want = Version(wanted)
    if operator in ("==", "!="):
        is_equal = version.key == want.key if want.local else version.public == want.public
        return is_equal == (operator == "==")
    if operator == "~=":
        series = Version(wanted)
        series.release = series.release[:-1]
        return version.public >= want.public and starts_with(version, series)
    if operator in ("<=", ">="):
        return version.public <= want.public if operator == "<=" else version.public >= want.public
    return before(version, want) if operator == "<" else after(version, want)


def starts_with(version, series):
    release = version.release + (0,) * len(series.release)
    return version.epoch == series.epoch and release[: len(series.release)] == series.release


def before(version, want):
    """`<2` leaves out the pre-releases of 2."""
    is_its_prerelease = version.is_prerelease and not want.is_prerelease and version.base == want.base and want.post in (None, version.post)
    return version.key < want.key and not is_its_prerelease


def after(version, want):
    """`>2` leaves out the post-releases and local versions of 2."""
    is_its_post_release = want.post is None and (version.base, version.pre) == (want.base, want.pre) and want.dev is None
    return version.public > want.public and not (version.post is not None and is_its_post_release)
