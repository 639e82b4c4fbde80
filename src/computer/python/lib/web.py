"""urllib over the sandbox's own requests: asks the user before it contacts a host."""

import email.message
import io
import json
import urllib.error as errors
import urllib.request as requests
import urllib.response as responses

from _sandglass import addresses
from _sandglass.kernel import calls


class Requests(requests.BaseHandler):
    handler_order = 100

    def http_open(self, request):
        # A local server is reached by a socket, as it may be a thread of this program. None selects the next handler.
        return None if addresses.is_local(request.host.rpartition(":")[0] or request.host) else fetch(request)

    def https_open(self, request):
        return fetch(request)


def fetch(request):
    from pyodide.ffi import to_js

    headers = [[name, text] for name, text in request.header_items() if name.lower() not in ("host", "connection")]
    body = request.data
    if body is not None and not isinstance(body, (bytes, bytearray)):
        body = body.read() if hasattr(body, "read") else b"".join(body)
    failed, given = calls.fetch(
        request.get_method(), request.full_url, json.dumps(headers), None if body is None else to_js(bytes(body)), "fetch"
    )
    if failed is not None:
        raise errors.URLError(given)
    message = email.message.Message()
    for name, text in given["headers"]:
        message[name] = text
    response = responses.addinfourl(io.BytesIO(bytes(given["body"])), message, given["url"], given["status"])
    response.msg = response.reason = given["statusText"]
    response.version = 11
    return response


def install():
    build = requests.build_opener
    requests.build_opener = lambda *handlers: build(Requests(), *handlers)
    requests._opener = None
