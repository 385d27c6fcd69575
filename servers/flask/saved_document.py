"""The main document as a server sends it that takes the file of `wget --save-headers` for the page itself."""

import zlib
from http.client import responses

# All that is known of such a file is that it is a page.
HEADERS = [("content-type", "text/html; charset=utf-8")]
# What Python can decode by itself; wget asks for no coding at all.
CODINGS = (None, "gzip", "deflate")


def saved_document(resource, body):
    """The status line and the headers as text, and the body, decoded."""
    coded = resource["contentEncoding"] is not None
    headers = [pair for pair in resource["headers"] if pair[0] != "content-encoding"]
    status = resource["status"]
    status_line = f"HTTP/1.1 {status} {responses.get(status, '')}".rstrip()
    lines = [status_line, *(f"{name}: {value}" for name, value in headers)]
    text = "".join(f"{line}\n" for line in [*lines, ""])
    # Finds out by itself which of the two codings it is.
    return text.encode() + (zlib.decompress(body, zlib.MAX_WBITS | 32) if coded else body)
