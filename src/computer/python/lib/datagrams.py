"""Sockets of datagrams over the sandbox's loopback. Another host is refused by the kernel, with what to do instead."""

import errno
import json

import _socket

from _sandglass.addresses import check_local, is_local
from _sandglass.channels import Channel, fault
from _sandglass.kernel import calls, value

AF_INET, AF_INET6 = _socket.AF_INET, _socket.AF_INET6
# Numbers of Linux: the interpreter's build lacks some of these names.
SO_REUSEADDR, SO_BROADCAST, SO_RCVBUF, SO_REUSEPORT = 2, 6, 8, 15
IP_MULTICAST_LOOP, IP_ADD_MEMBERSHIP, IP_DROP_MEMBERSHIP = 34, 35, 36


def is_group(host):
    first = host.partition(".")[0]
    return host.lower().startswith("ff") if ":" in host else first.isdigit() and 224 <= int(first) < 240


class DatagramChannel(Channel):
    """State shared by all duplicates of one socket of datagrams."""

    def __init__(self, family):
        super().__init__()
        self.family = family
        # Settings made before there is a descriptor.
        self.wanted = {}

    def address(self, host, port):
        """Address as Python has it."""
        return (host, port, 0, 0) if self.family == AF_INET6 else (host, port)

    def __numeric(self, host):
        own, anyone = ("::1", "::") if self.family == AF_INET6 else ("127.0.0.1", "0.0.0.0")
        if host == "":
            return anyone
        if host == "<broadcast>":
            return "255.255.255.255"
        is_named = ":" not in host and not host[:1].isdigit()
        return own if is_named and is_local(host) else host

    def __target(self, host):
        """Numeric address to send to."""
        found = self.__numeric(host)
        if not is_local(found) and not is_group(found) and found != "255.255.255.255":
            advice = "datagrams stay inside the sandbox; reach other hosts by HTTP"
            raise OSError(errno.ENETUNREACH, f"{host} cannot be reached: {advice}")
        return found

    def bind(self, host, port, options):
        if self.descriptor is not None:
            raise fault(errno.EINVAL)
        host = self.__numeric(host)
        if not is_group(host):
            check_local(host)
        reuse = any(options.get((_socket.SOL_SOCKET, name)) for name in (SO_REUSEADDR, SO_REUSEPORT))
        only6 = bool(options.get((_socket.IPPROTO_IPV6, getattr(_socket, "IPV6_V6ONLY", 26))))
        given = value(calls.bindDatagrams(6 if self.family == AF_INET6 else 4, host, port, reuse, only6))
        self.descriptor = given["descriptor"]
        self.local = (self.address(host, given["port"]), self.family)
        for name, wanted in self.wanted.items():
            self.__set({name: wanted})

    def open(self, options):
        """Binds it to any port, unless it is bound."""
        if self.descriptor is None:
            self.bind("", 0, options)

    def connect(self, host, port, options):
        self.open(options)
        host = self.__target(host)
        value(calls.connectDatagrams(self.descriptor, host, port))
        self.remote = (self.address(host, port), self.family)
        local, at = self.local[0][:2]
        if local in ("0.0.0.0", "::"):
            self.local = (self.address("::1" if self.family == AF_INET6 else "127.0.0.1", at), self.family)

    def send(self, data, place, options):
        """Sends a datagram to a host and port, or to the chosen other end. Returns the byte count."""
        from pyodide.ffi import to_js

        if place is None and self.remote is None:
            raise fault(errno.EDESTADDRREQ)
        self.open(options)
        host, port = (None, 0) if place is None else (self.__target(place[0]), place[1])
        value(calls.sendDatagram(self.descriptor, to_js(bytes(data)), host, port))
        return len(data)

    def receive(self, size, timeout, is_peek):
        """Waits for a datagram, of which `size` bytes are kept. Returns them with the address of the sender."""
        if not self.ahead:
            self.wait(True, timeout)
            packed = value(calls.receiveDatagram(self.descriptor)).to_bytes()
            start = 3 + packed[2]
            sender = self.address(packed[3:start].decode(), packed[0] * 256 + packed[1])
            self.ahead = (packed[start:], sender)
        data, sender = self.ahead
        if not is_peek:
            self.ahead = b""
        return data[:size], sender

    def read(self, size, timeout):
        return self.receive(size, timeout, False)[0]

    def write(self, view, timeout):
        return self.send(view, None, {})

    def end_writing(self):
        self.ends_writing = True

    def set(self, level, name, given):
        """Applies an option that the kernel has."""
        if level == _socket.SOL_SOCKET and name == SO_BROADCAST:
            self.__set({"broadcast": bool(given)})
        elif level == _socket.SOL_SOCKET and name == SO_RCVBUF:
            self.__set({"receiveBytes": 2 * max(int(given), 0)})
        elif level == _socket.IPPROTO_IP and name == IP_MULTICAST_LOOP:
            self.__set({"loopback": bool(given if isinstance(given, int) else given[0])})
        elif level == _socket.IPPROTO_IP and name in (IP_ADD_MEMBERSHIP, IP_DROP_MEMBERSHIP):
            group = ".".join(str(part) for part in bytes(given)[:4])
            self.open({})
            self.__set({"join" if name == IP_ADD_MEMBERSHIP else "leave": group})

    def __set(self, settings):
        if self.descriptor is None:
            self.wanted |= settings
        else:
            value(calls.datagramSettings(self.descriptor, json.dumps(settings)))

    def events(self):
        """`(readable, room)` without a descriptor: nothing arrives, and everything may be sent."""
        return False, 1
