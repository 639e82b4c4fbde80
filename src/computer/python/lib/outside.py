"""Connections to other hosts. They carry HTTP: the page sends each request, after it asked for the host and recorded it."""

import errno
import http
import json
import os

import _socket

from _sandglass import threads
from _sandglass.channels import Channel, fault
from _sandglass.kernel import calls

HTTP_ONLY = "cannot be reached by this protocol: only requests of HTTP leave the sandbox"
# Fields between a client and the page, and the encoding that the page has already removed.
OF_THE_CONNECTION = {"connection", "keep-alive", "transfer-encoding", "content-length", "host", "expect", "upgrade", "proxy-connection"}
DECODED = "content-encoding"
LONGEST_HEAD = 1 << 20
# Bytes with which a client begins TLS on a connection, instead of a handshake.
HELLO = b"\x16\x03\x01sandglass"


class Outside(Channel):
    """A connection to another host. Collects a request, and holds the response to it."""

    def __init__(self, host, port, local, remote):
        super().__init__(local=local, remote=remote)
        self.host, self.port = host, port
        self._is_secure = False
        self._request = bytearray()
        # Method, target and fields of the request, once they are there; its body is the rest.
        self._head = None
        self._response = memoryview(b"")
        self._is_answered = False
        self._continues = False
        self._waiters = threads.Waiters()

    def secure(self):
        """Makes it carry https."""
        self._is_secure = True

    def events(self):
        return bool(self._response) or self._is_answered, 1

    def fill(self, size, timeout):
        if self.ahead or self.ends_reading or size <= 0:
            return
        if not self._response and not self._is_answered:
            self._await_response(timeout)
        self.ahead = bytes(self._response[:size])
        self._response = self._response[size:]

    def _await_response(self, timeout):
        if timeout == 0:
            raise fault(errno.EAGAIN)
        if not threads.others_can_run():
            # Here a program waits for a host that speaks first, or for the answer to half a request.
            raise OSError(errno.EPROTO, f"{self.host} {HTTP_ONLY}")
        if not self._waiters.wait(lambda: self.events()[0], timeout):
            raise TimeoutError("timed out")

    def write(self, view, timeout):
        if self._is_answered:
            raise fault(errno.EPIPE)
        self._request += view
        if self._head is None and self._request.startswith(HELLO):
            self.secure()
            del self._request[: len(HELLO)]
        self._send_when_whole()
        return len(view)

    def end_writing(self):
        self.ends_writing = True

    def release(self):
        self.holders -= 1

    def _send_when_whole(self):
        if self._head is None and not self._read_head():
            return
        method, target, fields = self._head
        named = {name.lower(): text for name, text in fields}
        body = body_of(named, self._request)
        if body is not None:
            self._send(method, target, fields, body)
        elif named.get("expect", "").lower() == "100-continue" and not self._continues:
            self._continues = True
            self._respond(b"HTTP/1.1 100 Continue\r\n\r\n")

    def _read_head(self):
        """Takes the head off the request; returns false before its end."""
        end = self._request.find(b"\r\n\r\n")
        first = self._request.partition(b"\n")[0].rstrip().decode("latin-1")
        words = first.split(" ")
        is_request = len(words) == 3 and words[2] in ("HTTP/1.1", "HTTP/1.0") and words[0] != "CONNECT"
        if (len(self._request) if end < 0 else end) > LONGEST_HEAD or b"\n" in self._request and not is_request:
            raise OSError(errno.EPROTO, f"{self.host} {HTTP_ONLY}")
        if end < 0:
            return False
        lines = self._request[:end].decode("latin-1").split("\r\n")[1:]
        fields = [(name.strip(), text.strip()) for name, _, text in (line.partition(":") for line in lines)]
        self._head = words[0], words[1], fields
        del self._request[: end + 4]
        return True

    def _url(self, target):
        if target.startswith(("http://", "https://")):
            return target
        scheme, usual = ("https", 443) if self._is_secure else ("http", 80)
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{scheme}://{host}{'' if self.port == usual else f':{self.port}'}{target}"

    def _send(self, method, target, fields, body):
        from pyodide.ffi import to_js

        kept = [field for field in fields if field[0].lower() not in OF_THE_CONNECTION]
        failed, given = calls.fetch(method, self._url(target), json.dumps(kept), to_js(body) if body else None, "fetch")
        self._is_answered = True
        if failed is not None:
            self._waiters.wake_all()
            raise failure(failed, given)
        status, content = given["status"], bytes(given["body"])
        dropped = OF_THE_CONNECTION | {DECODED}
        answered = [(name, text) for name, text in given["headers"] if name.lower() not in dropped]
        if has_body(method, status):
            answered.append(("Content-Length", str(len(content))))
        else:
            content = b""
        answered.append(("Connection", "close"))
        head = f"HTTP/1.1 {status} {given['statusText'] or phrase(status)}\r\n" + "".join(f"{name}: {text}\r\n" for name, text in answered)
        self._respond(head.encode("latin-1", "replace") + b"\r\n" + content)

    def _respond(self, data):
        self._response = memoryview(bytes(self._response) + data)
        self._waiters.wake_all()


def has_body(method, status):
    return method != "HEAD" and status >= 200 and status not in (204, 304)


def phrase(status):
    try:
        return http.HTTPStatus(status).phrase
    except ValueError:
        return ""


def body_of(fields, rest):
    """Body of a request; None if it has not arrived as a whole."""
    if fields.get("transfer-encoding", "").lower().endswith("chunked"):
        return joined(bytes(rest)) if rest.endswith(b"\r\n\r\n") else None
    size = int(fields.get("content-length") or 0)
    return bytes(rest[:size]) if len(rest) >= size else None


def joined(rest):
    """Content of chunks; None before the last of them."""
    parts, at = [], 0
    while (end := rest.find(b"\r\n", at)) >= 0:
        size = int(rest[at:end].partition(b";")[0], 16)
        if size < 0:
            raise OSError(errno.EPROTO, "the size of a chunk is negative")
        at = end + 2
        if size == 0:
            return b"".join(parts) if rest.startswith(b"\r\n", at) or b"\r\n\r\n" in rest[at:] else None
        parts.append(rest[at : at + size])
        at += size + 2
    return None


def failure(code, text):
    if code == "ENOTFOUND":
        return _socket.gaierror(_socket.EAI_NONAME, text)
    number = getattr(errno, code, errno.ECONNREFUSED)
    return OSError(number, text or os.strerror(number))
