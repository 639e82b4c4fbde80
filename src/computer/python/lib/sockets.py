"""`_socket` over the sandbox's loopback. Connections to other hosts carry HTTP alone (`outside.py`)."""

import errno
import importlib
import os
import sys

import _socket

from _sandglass import addresses, channels, polling
from _sandglass.addresses import check_local, is_local
from _sandglass.channels import Channel, fault
from _sandglass.datagrams import DatagramChannel
from _sandglass.kernel import calls, value
from _sandglass.outside import Outside

CHUNK = 64 * 1024
AF_UNIX, AF_INET, AF_INET6 = 1, _socket.AF_INET, _socket.AF_INET6
SOCK_STREAM, SOCK_DGRAM = _socket.SOCK_STREAM, _socket.SOCK_DGRAM
SOL_SOCKET, SO_TYPE, SO_ERROR, SO_ACCEPTCONN, SO_DOMAIN, SO_PROTOCOL = (
    getattr(_socket, name) for name in ("SOL_SOCKET", "SO_TYPE", "SO_ERROR", "SO_ACCEPTCONN", "SO_DOMAIN", "SO_PROTOCOL")
)
KINDS = 0xF


def default_timeout(seconds=None):
    Default.timeout = timeout_of(seconds)


class Default:
    timeout = None


def timeout_of(seconds):
    if seconds is None:
        return None
    if not hasattr(seconds, "__float__") and not hasattr(seconds, "__index__"):
        raise TypeError(f"'{type(seconds).__name__}' object cannot be interpreted as an integer")
    seconds = float(seconds)
    if seconds != seconds:
        raise ValueError("Invalid value NaN (not a number)")
    if seconds < 0:
        raise ValueError("Timeout value out of range")
    return seconds


class Socket:
    """The base of `socket.socket`."""

    # Private names: subclasses such as `ssl.SSLSocket` have their own `_connected` or `_timeout`.
    __slots__ = ("__number", "__channel", "__family", "__kind", "__protocol", "__timeout", "__options")

    def __new__(cls, *_arguments, **_named):
        self = super().__new__(cls)
        self.__number = -1
        self.__channel = None
        self.__family, self.__kind, self.__protocol, self.__timeout, self.__options = AF_INET, SOCK_STREAM, 0, None, {}
        return self

    def __init__(self, family=-1, type=-1, proto=-1, fileno=None):
        if fileno is not None:
            if not isinstance(fileno, int):
                raise TypeError(f"'{fileno.__class__.__name__}' object cannot be interpreted as an integer")
            if fileno < 0:
                raise ValueError("negative file descriptor")
            if fileno not in polling.OPEN:
                os.fstat(fileno)
                raise fault(errno.ENOTSOCK)
            self.__channel = polling.OPEN[fileno]
            self.__number = fileno
            family = self.__channel.local[1] if family == -1 and self.__channel.local else family
        self.__family = AF_INET if family == -1 else int(family)
        kind = SOCK_STREAM if type == -1 else int(type)
        self.__kind, self.__protocol = kind & KINDS, max(proto, 0)
        if self.__family not in (AF_UNIX, AF_INET, AF_INET6):
            raise fault(errno.EAFNOSUPPORT)
        if self.__kind not in (SOCK_STREAM, SOCK_DGRAM):
            raise fault(errno.EPROTONOSUPPORT)
        if self.__channel is None:
            is_stream = self.__kind == SOCK_STREAM or self.__family == AF_UNIX
            self.__channel = Channel() if is_stream else DatagramChannel(self.__family)
            self.__number = self.__channel.hold()
        self.__limit(0.0 if kind & _socket.SOCK_NONBLOCK else Default.timeout)

    family = property(lambda self: self.__family)
    type = property(lambda self: self.__kind)
    proto = property(lambda self: self.__protocol)
    timeout = property(lambda self: self.__timeout)

    def __del__(self):
        if self.__number != -1:
            import warnings

            warnings.warn(f"unclosed {self!r}", ResourceWarning, source=self)
            self.close()

    def fileno(self):
        return self.__number

    def close(self):
        number, self.__number = self.__number, -1
        if number != -1:
            channels.close(number)

    def detach(self):
        number, self.__number = self.__number, -1
        return number

    def __repr__(self):
        return f"<socket object, fd={self.__number}, family={int(self.__family)}, type={int(self.__kind)}, proto={self.__protocol}>"

    def __limit(self, timeout):
        self.__timeout = timeout
        if self.__number != -1:
            os.set_blocking(self.__number, timeout is None)

    def setblocking(self, flag):
        self.__limit(None if flag else 0.0)

    def getblocking(self):
        return self.__timeout != 0

    def settimeout(self, value):
        self.__limit(timeout_of(value))

    def gettimeout(self):
        return self.__timeout

    def __open(self):
        # `os.close` may have closed its number.
        if polling.OPEN.get(self.__number) is not self.__channel:
            raise fault(errno.EBADF)
        return self.__channel

    def __connected(self):
        channel = self.__open()
        if channel.remote is None:
            raise fault(errno.ENOTCONN)
        return channel

    def __place(self, address):
        """Host and port of an address, or the path of a file."""
        if self.__family == AF_UNIX:
            place = os.fsdecode(address)
            return place if place.startswith("\0") else os.path.abspath(place)
        name = "AF_INET" if self.__family == AF_INET else "AF_INET6"
        if not isinstance(address, tuple):
            raise TypeError(f"{name} address must be tuple, not {address.__class__.__name__}")
        if len(address) < 2 or len(address) > (2 if self.__family == AF_INET else 4):
            raise TypeError(f"{name} address must be a pair (host, port)")
        host, port = address[:2]
        if not isinstance(port, int):
            raise TypeError(f"'{port.__class__.__name__}' object cannot be interpreted as an integer")
        if not 0 <= port <= 65535:
            raise OverflowError("port must be 0-65535.")
        host = host.decode() if isinstance(host, (bytes, bytearray)) else host
        return ("0.0.0.0" if self.__family == AF_INET else "::") if host == "" else host, port

    def __name(self, host, port):
        """Local address of a host, with its family."""
        if self.__family == AF_INET6:
            return (host if ":" in host else "::1", port, 0, 0), AF_INET6
        return (host if host[:1].isdigit() else "127.0.0.1", port), AF_INET

    def __datagrams(self):
        """The channel of a socket of datagrams; None for a stream."""
        channel = self.__open()
        if self.__kind == SOCK_DGRAM and not isinstance(channel, DatagramChannel):
            raise OSError(errno.EOPNOTSUPP, "Socket files carry no datagrams in the sandbox. Use SOCK_STREAM.")
        return channel if isinstance(channel, DatagramChannel) else None

    def bind(self, address, /):
        channel = self.__open()
        place = self.__place(address)
        if self.__datagrams():
            return channel.bind(*place, self.__options)
        if channel.local is not None:
            raise fault(errno.EINVAL)
        if self.__family == AF_UNIX:
            channel.descriptor = value(calls.listenAt(place))
            channel.local = (os.fsdecode(address), AF_UNIX)
            return
        check_local(place[0])
        given = value(calls.listen(*place))
        channel.descriptor = given["descriptor"]
        channel.local = self.__name(place[0], given["port"])

    def listen(self, backlog=128, /):
        channel = self.__open()
        if abs(backlog) > 2**31:
            raise OverflowError("Python int too large to convert to C int")
        if channel.remote is not None or (channel.local is None and self.__family == AF_UNIX):
            raise fault(errno.EINVAL)
        if channel.local is None:
            self.bind(("", 0))
        channel.listens = True

    def _accept(self):
        channel = self.__open()
        if not channel.listens:
            raise fault(errno.EINVAL)
        channel.wait(True, self.__timeout)
        given = value(calls.accept(channel.descriptor))
        if self.__family == AF_UNIX:
            made = Channel(given["descriptor"], channel.local, ("", AF_UNIX))
        else:
            made = Channel(given["descriptor"], self.__name(channel.local[0][0], given["localPort"]), self.__name("", given["remotePort"]))
        return made.hold(), made.remote[0]

    def connect(self, address, /):
        channel = self.__open()
        place = self.__place(address)
        if self.__datagrams():
            return channel.connect(*place, self.__options)
        if channel.remote is not None:
            raise fault(errno.EISCONN)
        if self.__family == AF_UNIX:
            channel.descriptor, channel.remote = value(calls.connectTo(place)), (os.fsdecode(address), AF_UNIX)
            channel.local = ("", AF_UNIX)
            return
        host, port = place
        if not is_local(host):
            self.__connect_outside(host, port)
            return
        given = value(calls.connect(host, port))
        if channel.descriptor is not None:
            # Closes a port bound before: the kernel picks one per connection.
            value(calls.close(channel.descriptor))
        channel.descriptor = given["descriptor"]
        channel.local, channel.remote = self.__name("", given["localPort"]), self.__name(host, port)

    def __connect_outside(self, host, port):
        channel = self.__channel
        outside = Outside(host, port, channel.local or self.__name("", 0), ((host, port), self.__family))
        outside.holders, outside.is_inheritable = channel.holders, False
        for number, found in polling.OPEN.items():
            if found is channel:
                polling.OPEN[number] = outside
        if channel.descriptor is not None:
            value(calls.close(channel.descriptor))
        self.__channel = outside

    def _channel(self):
        return self.__connected()

    def connect_ex(self, address, /):
        try:
            self.connect(address)
        except OSError as error:
            if error.errno is None or isinstance(error, _socket.gaierror):
                raise
            return error.errno
        return 0

    def recv(self, bufsize, flags=0, /):
        if bufsize < 0:
            raise ValueError("negative buffersize in recv")
        if self.__kind == SOCK_DGRAM:
            return self.__receive(bufsize, flags)[0]
        channel = self.__connected()
        if flags & _socket.MSG_WAITALL:
            return self.__receive_all(bufsize)
        timeout = 0 if flags & _socket.MSG_DONTWAIT else self.__timeout
        if flags & _socket.MSG_PEEK:
            channel.fill(bufsize, timeout)
            return channel.ahead[:bufsize]
        return channel.read(bufsize, timeout)

    def __receive(self, size, flags):
        """A datagram and its sender."""
        channel = self.__datagrams()
        channel.open(self.__options)
        timeout = 0 if flags & _socket.MSG_DONTWAIT else self.__timeout
        return channel.receive(size, timeout, bool(flags & _socket.MSG_PEEK))

    def __receive_all(self, size):
        parts = []
        while size > 0 and (part := self.recv(size)):
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def recv_into(self, buffer, nbytes=0, flags=0):
        with memoryview(buffer).cast("B") as view:
            if nbytes < 0:
                raise ValueError("negative buffersize in recv_into")
            if nbytes > len(view):
                raise ValueError("nbytes is greater than the length of the buffer")
            data = self.recv(nbytes or len(view), flags)
            view[: len(data)] = data
        return len(data)

    def recvfrom(self, bufsize, flags=0, /):
        if bufsize < 0:
            raise ValueError("negative buffersize in recvfrom")
        if self.__kind == SOCK_DGRAM:
            return self.__receive(bufsize, flags)
        return self.recv(bufsize, flags), None

    def recvfrom_into(self, buffer, nbytes=0, flags=0):
        if self.__kind == SOCK_DGRAM:
            with memoryview(buffer).cast("B") as view:
                data, sender = self.__receive(nbytes or len(view), flags)
                view[: len(data)] = data
            return len(data), sender
        return self.recv_into(buffer, nbytes, flags), None

    def recvmsg(self, bufsize, ancbufsize=0, flags=0, /):
        if ancbufsize < 0:
            raise ValueError("invalid ancillary data buffer length")
        data, sender = self.recvfrom(bufsize, flags)
        return data, [], 0, sender

    def recvmsg_into(self, buffers, ancbufsize=0, flags=0, /):
        if ancbufsize < 0:
            raise ValueError("invalid ancillary data buffer length")
        views = [memoryview(buffer).cast("B") for buffer in buffers]
        data = self.recv(sum(len(view) for view in views), flags)
        at = 0
        for view in views:
            part = data[at : at + len(view)]
            view[: len(part)] = part
            at += len(part)
        return at, [], 0, None

    def send(self, data, flags=0, /):
        with memoryview(data).cast("B") as view:
            if datagrams := self.__datagrams():
                return datagrams.send(view, None, self.__options)
            return self.__send(view, 0 if flags & _socket.MSG_DONTWAIT else self.__timeout)

    def __send(self, view, timeout):
        if self.__open().ends_writing:
            raise fault(errno.EPIPE)
        return self.__connected().write(view, timeout)

    def sendall(self, data, flags=0, /):
        import time

        if self.__datagrams():
            self.send(data, flags)
            return
        end = None if self.__timeout is None else time.monotonic() + self.__timeout
        with memoryview(data).cast("B") as view:
            at = 0
            while at < len(view) or at == 0:
                left = self.__timeout and max(end - time.monotonic(), 1e-3)
                at += self.__send(view[at:], left)
                if not len(view):
                    return

    def sendto(self, data, *rest):
        if not rest or len(rest) > 2:
            raise TypeError(f"sendto() takes 2 or 3 arguments ({1 + len(rest)} given)")
        if datagrams := self.__datagrams():
            with memoryview(data).cast("B") as view:
                return datagrams.send(view, self.__place(rest[-1]), self.__options)
        if self.__open().remote is None:
            raise fault(errno.EPIPE)
        return self.send(data)

    def sendmsg(self, buffers, ancdata=(), flags=0, address=None, /):
        if any(True for _ in ancdata):
            raise OSError(errno.EOPNOTSUPP, "Descriptors are not passed over sockets here.")
        data = b"".join(memoryview(part) for part in buffers)
        return self.send(data, flags) if address is None else self.sendto(data, flags, address)

    def shutdown(self, how, /):
        channel = self.__connected()
        if how not in (_socket.SHUT_RD, _socket.SHUT_WR, _socket.SHUT_RDWR):
            raise fault(errno.EINVAL)
        if how != _socket.SHUT_WR:
            channel.ends_reading = True
        if how != _socket.SHUT_RD and not channel.ends_writing:
            channel.end_writing()

    def getsockname(self):
        channel = self.__open()
        if channel.local is not None:
            return channel.local[0]
        return {AF_UNIX: "", AF_INET: ("0.0.0.0", 0), AF_INET6: ("::", 0, 0, 0)}[self.__family]

    def getpeername(self):
        return self.__connected().remote[0]

    def setsockopt(self, level, optname, value, optlen=None, /):
        self.__open()
        if value is None and optlen is None:
            raise TypeError("setsockopt() requires 4 arguments when the third argument is None")
        if datagrams := self.__datagrams():
            datagrams.set(level, optname, value)
        self.__options[level, optname] = value

    def getsockopt(self, level, optname, buflen=0, /):
        channel = self.__open()
        fixed = {SO_TYPE: self.__kind, SO_ERROR: 0, SO_ACCEPTCONN: int(channel.listens), SO_DOMAIN: self.__family, SO_PROTOCOL: self.__protocol}
        fixed |= {_socket.SO_SNDBUF: CHUNK, _socket.SO_RCVBUF: CHUNK}
        known = fixed.get(optname) if level == SOL_SOCKET else None
        found = self.__options.get((level, optname), 0) if known is None else known
        if buflen and isinstance(found, int):
            return found.to_bytes(4, sys.byteorder)[:buflen]
        return found


def socketpair(family=AF_UNIX, type=SOCK_STREAM, proto=0, /):
    """Two ends of a connection, made by an abstract name that is freed at once."""
    if family not in (AF_UNIX, AF_INET, AF_INET6):
        raise fault(errno.EAFNOSUPPORT)
    place = f"\0socketpair-{os.getpid()}-{os.urandom(8).hex()}"
    port = value(calls.listenAt(place))
    try:
        ends = value(calls.connectTo(place)), value(calls.accept(port))["descriptor"]
    finally:
        value(calls.close(port))
    made = []
    for end in ends:
        channel = Channel(end, ("", family), ("", family))
        made.append(Socket(family, type, proto, channel.hold()))
    return tuple(made)


CONSTANTS = {"AF_UNIX": AF_UNIX, "SO_REUSEADDR": 2, "SO_REUSEPORT": 15}


def install():
    """Replaces the interpreter's `_socket` before a program starts; reloads `socket` and modules that depend on it."""
    polling.install()
    for name, number in CONSTANTS.items():
        setattr(_socket, name, number)
    _socket.socket = _socket.SocketType = Socket
    _socket.setdefaulttimeout = default_timeout
    _socket.getdefaulttimeout = lambda: Default.timeout
    _socket.close, _socket.dup, _socket.socketpair = channels.close, channels.dup, socketpair
    for name in ("getaddrinfo", "gethostbyname", "gethostbyname_ex", "gethostbyaddr", "getnameinfo", "gethostname"):
        setattr(_socket, name, getattr(addresses, name))
    channels.install()
    if hasattr(os, "sendfile"):
        del os.sendfile
    # If loaded. The last two define functions by what the socket module offers.
    for name in ("socket", "selectors", "ssl", "asyncio.streams", "asyncio"):
        if name in sys.modules:
            importlib.reload(sys.modules[name])
