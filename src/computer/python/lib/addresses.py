"""Names and addresses. A host outside has no other address than its name: the page connects to it."""

import os

import _socket

from _sandglass.kernel import calls

AF_INET, AF_INET6 = _socket.AF_INET, _socket.AF_INET6
SOCK_STREAM, SOCK_DGRAM = _socket.SOCK_STREAM, _socket.SOCK_DGRAM
OUTSIDE = "is not a name of this computer, and those of other hosts are resolved outside of the sandbox"


def is_local(host):
    return calls.isLocal(host)


def is_address(host):
    for family in (AF_INET, AF_INET6):
        try:
            _socket.inet_pton(family, host)
            return True
        except OSError:
            pass
    return False


def check_local(host):
    """Raises gaierror for a name that is not of this computer; leaves addresses to the kernel."""
    if not is_local(host) and not is_address(host):
        raise _socket.gaierror(_socket.EAI_NONAME, f"{host} {OUTSIDE}")


def gethostname():
    return os.uname().nodename


def getaddrinfo(host, port, family=0, type=0, proto=0, flags=0):
    """Works as in the C library, for names and addresses of this computer and other addresses."""
    host = host.decode() if isinstance(host, bytes) else host
    if isinstance(port, (bytes, str)):
        port = port.decode() if isinstance(port, bytes) else port
        if port.isdigit():
            port = int(port)
        else:
            try:
                port = _socket.getservbyname(port)
            except OSError:
                raise _socket.gaierror(_socket.EAI_SERVICE, "Servname not supported for ai_socktype") from None
    if port is not None and not isinstance(port, int):
        raise OSError("Int or String expected")
    if host is None and port is None:
        raise _socket.gaierror(_socket.EAI_NONAME, "Name or service not known")
    if host is not None:
        if type == SOCK_DGRAM:
            check_local(host)
        if flags & _socket.AI_NUMERICHOST and not is_address(host):
            raise _socket.gaierror(_socket.EAI_NONAME, "Name or service not known")
    passive = host is None and flags & _socket.AI_PASSIVE
    found = []
    for one, loop, every in ((AF_INET, "127.0.0.1", "0.0.0.0"), (AF_INET6, "::1", "::")):
        if family not in (0, one):
            continue
        if host and is_address(host):
            if (":" in host) != (one == AF_INET6):
                continue
            place = host
        elif one == AF_INET6 and family == 0 and host is not None:
            # Localhost has one address unless IPv6 is requested: a program that listens on both would collide with itself.
            continue
        elif host and not is_local(host):
            place = host
        else:
            place = every if passive else loop
        address = (place, port or 0) if one == AF_INET else (place, port or 0, 0, 0)
        name = host or "" if flags & _socket.AI_CANONNAME else ""
        kinds = ((SOCK_STREAM, _socket.IPPROTO_TCP), (SOCK_DGRAM, _socket.IPPROTO_UDP))
        found += [(one, kind, protocol, name, address) for kind, protocol in kinds if type in (0, kind) and proto in (0, protocol)]
    if not found:
        raise _socket.gaierror(_socket.EAI_FAMILY, "Address family for hostname not supported")
    return found


def gethostbyname(host):
    check_local(host or "")
    return getaddrinfo(host or "0.0.0.0", 0, AF_INET, SOCK_STREAM)[0][4][0]


def gethostbyname_ex(host):
    return host, [], [gethostbyname(host)]


def gethostbyaddr(host):
    check_local(host)
    if not is_local(host):
        raise _socket.herror(1, "Unknown host")
    return "localhost", [], ["::1" if ":" in host else "127.0.0.1"]


def getnameinfo(sockaddr, flags, /):
    host, port = sockaddr[:2]
    name = host if flags & _socket.NI_NUMERICHOST or not is_local(host) else "localhost"
    service = str(port)
    if not flags & _socket.NI_NUMERICSERV:
        try:
            service = _socket.getservbyport(port)
        except OSError:
            pass
    return name, service
