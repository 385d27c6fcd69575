"""The main document as sent by a server that serves a file of `wget --save-headers` as the page."""

import zlib
from http.client import responses

# Headers of a server that serves a saved file as the page.
HEADERS = [("content-type", "text/html; charset=utf-8")]
# Codings that Python can decode; wget requests no coding.
CODINGS = (None, "gzip", "deflate")


def saved_document(resource, body):
    """The status line and the headers as text, and the body, decoded."""
    coded = resource["contentEncoding"] is not None
    headers = [pair for pair in resource["headers"] if pair[0] != "content-encoding"]
    status = resource["status"]
    status_line = f"HTTP/1.1 {status} {responses.get(status, '')}".rstrip()
    lines = [status_line, *(f"{name}: {value}" for name, value in headers)]
    text = "".join(f"{line}\n" for line in [*lines, ""])
    # Detects which of the two codings it is.
    return text.encode() + (zlib.decompress(body, zlib.MAX_WBITS | 32) if coded else body)
