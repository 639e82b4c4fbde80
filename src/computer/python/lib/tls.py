"""`ssl` for connections to other hosts: the page encrypts them and checks the certificates."""

import ssl

from _sandglass.addresses import is_local
from _sandglass.outside import HELLO, Outside

NO_SERVERS = "there are no servers of TLS in the sandbox: serve plain HTTP"
NO_PROGRAMS = "programs of this computer do not speak TLS in the sandbox: use http://"


def refused(reason):
    return ssl.SSLError(ssl.SSL_ERROR_SSL, reason)


class Secured:
    """Methods of `ssl.SSLSocket` that the interpreter's does not have."""

    @classmethod
    def _create(cls, sock, server_side=False, do_handshake_on_connect=True, suppress_ragged_eofs=True, server_hostname=None, context=None, session=None):
        if server_side:
            raise refused(NO_SERVERS)
        if context.check_hostname and not server_hostname:
            raise ValueError("check_hostname requires server_hostname")
        try:
            sock.getpeername()
            is_connected = True
        except OSError:
            is_connected = False
        timeout = sock.gettimeout()
        made = cls.__new__(cls)
        super(ssl.SSLSocket, made).__init__(sock.family, sock.type, sock.proto, sock.detach())
        made.settimeout(timeout)
        made._sslobj, made._context, made._session = None, context, session
        made._server_hostname, made._server_side = context._encode_hostname(server_hostname), False
        made._suppress_ragged_eofs, made.do_handshake_on_connect = suppress_ragged_eofs, do_handshake_on_connect
        made._connected = is_connected
        try:
            if is_connected and do_handshake_on_connect:
                made.do_handshake()
        except BaseException:
            made.close()
            raise
        return made

    def do_handshake(self, block=False):
        if not isinstance(self._channel(), Outside):
            raise refused(NO_PROGRAMS)
        self._channel().secure()

    def connect(self, addr):
        super(ssl.SSLSocket, self).connect(addr)
        self._connected = True
        if self.do_handshake_on_connect:
            self.do_handshake()

    def unwrap(self):
        return self

    def pending(self):
        return 0

    def version(self):
        return "TLSv1.3" if self._connected else None


# Plain methods of a socket do what they should, without encryption.
PLAIN = ("sendfile", "recvfrom", "recvfrom_into", "sendto", "shutdown", "connect_ex", "accept")


class Object(ssl.SSLObject):
    """`ssl.SSLObject` of `wrap_bio`, which event loops use."""

    def __init__(self, incoming, outgoing, hostname, context):
        self._incoming, self._outgoing = incoming, outgoing
        self._hostname, self._context = hostname, context
        self._is_shaken = False

    context = property(lambda self: self._context)
    server_side = False
    server_hostname = property(lambda self: self._hostname)

    def do_handshake(self):
        if not self._is_shaken:
            self._is_shaken = True
            self._outgoing.write(HELLO)

    def read(self, len=1024, buffer=None):
        data = self._incoming.read(len)
        if not data and len and not self._incoming.eof:
            raise ssl.SSLWantReadError(ssl.SSL_ERROR_WANT_READ, "The operation did not complete (read)")
        if buffer is None:
            return data
        size = memoryview(data).nbytes
        buffer[:size] = data
        return size

    def write(self, data):
        return self._outgoing.write(data)

    def pending(self):
        return 0

    def version(self):
        return "TLSv1.3" if self._is_shaken else None


def wrap_bio(self, incoming, outgoing, server_side=False, server_hostname=None, session=None):
    if server_side:
        raise refused(NO_SERVERS)
    name = self._encode_hostname(server_hostname)
    if name and is_local(name):
        raise refused(NO_PROGRAMS)
    return Object(incoming, outgoing, name, self)


def install():
    for name in PLAIN:
        if name in vars(ssl.SSLSocket):
            delattr(ssl.SSLSocket, name)
    for name, method in vars(Secured).items():
        if not name.startswith("__"):
            setattr(ssl.SSLSocket, name, method)
    ssl.SSLContext.wrap_bio = wrap_bio
    # The page's connections never fall back to that name.
    ssl.HAS_NEVER_CHECK_COMMON_NAME = True
