"""The Flask application that answers from a site's cache folder (format: cache/README.md)."""

import json
import os
import re
import time
from pathlib import Path

import flask
from werkzeug.routing import BaseConverter
from werkzeug.wsgi import get_input_stream

from replay import Replay, Request, completed, failed_reply, length_of, document_chain_of
from saved_document import CODINGS, HEADERS, saved_document

CACHE_FORMAT_VERSION = 1
METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
BODY_CHUNK_BYTES = 65536
# A longer body is read while it is sent: the first byte does not wait for the rest.
MOST_READ_BYTES = 2**20
PLAIN_BODY_FILE = re.compile(r"bodies/[A-Za-z0-9][A-Za-z0-9._-]*")


class DamagedSite(Exception):
    """The site's folder is damaged; the message names the file."""


class RecordedResponse(flask.Response):
    """A response with exactly the given headers: Werkzeug would rewrite some and drop some."""

    default_mimetype = None

    def get_wsgi_headers(self, environ):  # noqa: ARG002 - the signature is Werkzeug's
        return self.headers


class AnyPath(BaseConverter):
    """Matches every path; Werkzeug's converter rejects a line feed or a slash at the beginning."""

    part_isolating = False
    regex = r"(?s:.*?)"


def create_app(
    site_folder: Path, think: str, sub_resources: str, document: str = "recorded"
) -> flask.Flask:
    """An application that answers for the site's manifest; see the arguments in servers/README.md."""
    manifest = read_manifest(site_folder)
    replay = Replay(manifest, sub_resources)
    saved = document_to_send_as_saved(site_folder, manifest) if document == "as-saved" else None
    app = flask.Flask(__name__, static_folder=None)
    # Recorded URLs are matched as they are, so Flask must not normalize them.
    app.url_map.merge_slashes = False
    app.url_map.converters["any_path"] = AnyPath

    @app.route("/", defaults={"path": ""}, methods=METHODS, provide_automatic_options=False)
    @app.route("/<any_path:path>", methods=METHODS, provide_automatic_options=False)
    def answer(path):  # noqa: ARG001 - the undecoded URL is needed
        received = discard_body(get_input_stream(flask.request.environ))
        request = request_of(flask.request.environ)
        reply = replay.reply(request, time.time())
        if think == "recorded" and reply.wait_ms > 0:
            time.sleep(reply.wait_ms / 1000)
        try:
            if saved is not None and reply.resource is saved and request.method in ("GET", "HEAD"):
                reply, body = as_saved(site_folder, request, reply)
            else:
                body = body_of(site_folder, reply)
        except OSError as error:
            app.logger.error("body of %s: %s", reply.resource["url"], error)
            reply, body = failed_reply(request.method, time.time()), b""
        log(request, received, reply, body)
        # In a list: for bytes alone Flask would compute a length.
        parts = body if isinstance(body, UnreadPart) else [body]
        return RecordedResponse(parts, reply.status, reply.headers)

    return app


def discard_body(stream):
    """Reads and discards a request's body, and counts its bytes; gunicorn would close a connection with a long unread body."""
    received = 0
    while piece := stream.read(BODY_CHUNK_BYTES):
        received += len(piece)
    return received


def request_of(environ):
    """The request without decoding its path."""

    def header(name):
        return environ.get("HTTP_" + name.upper().replace("-", "_"))

    return Request(environ["REQUEST_METHOD"], header("host") or "", environ["RAW_URI"], header)


class UnreadPart:
    """A part of an open file that is read while it is sent."""

    def __init__(self, opened, length):
        self.opened = opened
        self.length = length

    def __len__(self):
        return self.length

    def __iter__(self):
        left = self.length
        while left > 0:
            piece = self.opened.read(min(left, BODY_CHUNK_BYTES))
            if not piece:
                raise OSError(f"{self.opened.name} became shorter while it was sent")
            left -= len(piece)
            yield piece

    def close(self):
        """Called by the sender, at the end or when the client is gone."""
        self.opened.close()


def body_of(site_folder, reply):
    """The body, read now or while it is sent; OSError: the file differs from the manifest."""
    if reply.bytes is None or reply.resource["body"] is None:
        return b""
    file = site_folder / reply.resource["body"]
    wanted = length_of(reply.bytes)
    size = reply.resource["wireBytes"]
    # A link could lead out of the folder.
    opened = open(os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC), "rb")
    part = UnreadPart(opened, wanted)
    found = os.fstat(opened.fileno()).st_size
    if found != size:
        part.close()
        raise OSError(f"{file} has {found} bytes where {size} were expected")
    opened.seek(reply.bytes[0])
    if wanted > MOST_READ_BYTES:
        return part
    with opened:
        return b"".join(part)


def document_to_send_as_saved(site_folder, manifest):
    """The main document; DamagedSite: it cannot be decoded."""
    resource = (document_chain_of(manifest) or [None])[-1]
    if resource is None:
        raise DamagedSite(f"{site_folder / 'index.json'}: no resource is the main document")
    if resource["contentEncoding"] not in CODINGS:
        raise DamagedSite(
            f"{site_folder}: --document as-saved sends a document decoded, and of "
            f"{resource['contentEncoding']} that is not supported here; omit --document"
        )
    return resource


def as_saved(site_folder, request, reply):
    """The whole main document, even for a range, with its recorded headers as text in the body."""
    size = reply.resource["wireBytes"]
    recorded = body_of(site_folder, reply._replace(bytes=(0, size - 1) if size else None))
    body = saved_document(reply.resource, recorded)
    whole = reply._replace(status=200, headers=HEADERS, bytes=(0, len(body) - 1))
    return completed(whole, request.method, time.time()), b"" if request.method == "HEAD" else body


def log(request, received, reply, body):
    """Writes the contract's line about a request."""
    line = {
        "host": request.host,
        "method": request.method,
        "path": request.path,
        "status": reply.status,
        "bytes": len(body),
        "received": received,
        "match": reply.match,
    }
    if reply.match == "query":
        line["recorded"] = reply.resource["url"]
    # One system call for a line, so that lines of different threads never mix.
    os.write(1, (json.dumps(line) + "\n").encode())


def read_manifest(site_folder: Path) -> dict:
    """The site's manifest."""
    file = site_folder / "index.json"
    try:
        manifest = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise DamagedSite(f"{file}: {error}") from error
    if not isinstance(manifest, dict) or manifest.get("formatVersion") != CACHE_FORMAT_VERSION:
        raise DamagedSite(f"{file}: not a site manifest of format version {CACHE_FORMAT_VERSION}")
    bodies = site_folder / "bodies"
    if bodies.is_symlink():
        raise DamagedSite(f"{bodies} is a link, and bodies are never read through one")
    for resource in manifest["resources"]:
        body = resource["body"]
        if body is not None and not PLAIN_BODY_FILE.fullmatch(body):
            raise DamagedSite(f"{file}: body {body} is not a plain file name in bodies/")
    return manifest
