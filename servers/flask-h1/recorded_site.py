"""The Flask application that answers from a site's cache folder (format: cache/README.md)."""

import json
import os
import re
from pathlib import Path

import flask

CACHE_FORMAT_VERSION = 1
METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
# Chromium needs it with HTTP/3, and every stack sends the same headers: see servers/README.md.
ALTERNATIVE_SERVICE = 'h3=":443"; ma=86400'
PLAIN_BODY_FILE = re.compile(r"bodies/[A-Za-z0-9][A-Za-z0-9._-]*")


class DamagedSite(Exception):
    """The site's folder cannot be served; the message names the file."""


class RecordedResponse(flask.Response):
    """A response that adds its length and where HTTP/3 is, and rewrites no recorded header."""

    default_mimetype = None

    def get_wsgi_headers(self, environ):
        headers = super().get_wsgi_headers(environ)
        headers["Alt-Svc"] = ALTERNATIVE_SERVICE
        # Werkzeug percent-encodes these two; as recorded they are what the browser followed.
        for name in ("Location", "Content-Location"):
            if name in self.headers:
                headers[name] = self.headers[name]
        return headers


def create_app(site_folder: Path) -> flask.Flask:
    """An application that answers every method and URL of the site's manifest, and all else with 404."""
    resources = read_resources(site_folder)
    app = flask.Flask(__name__, static_folder=None)
    # Recorded URLs are matched as they are, so Flask must not tidy them.
    app.url_map.merge_slashes = False

    @app.route("/", defaults={"path": ""}, methods=METHODS, provide_automatic_options=False)
    @app.route("/<path:path>", methods=METHODS, provide_automatic_options=False)
    def answer(path):  # noqa: ARG001 - the undecoded URL is needed, see below
        request = flask.request
        host = re.sub(r":443$", "", request.environ.get("HTTP_HOST", ""))
        raw_path = request.environ["RAW_URI"]
        resource = resources.get((request.method, f"https://{host}{raw_path}"))
        if resource is None:
            response = RecordedResponse(b"", 404)
        else:
            response = respond(app, site_folder, resource)
        line = {
            "host": host,
            "method": request.method,
            "path": raw_path,
            "status": response.status_code,
            "bytes": response.content_length or 0,
        }
        # One system call for a line, so that lines of different threads never mix.
        os.write(1, (json.dumps(line) + "\n").encode())
        return response

    return app


def respond(app, site_folder, resource):
    """The recorded response, its body read now, so that a large site costs no memory."""
    body = b""
    if resource["body"] is not None:
        try:
            body = (site_folder / resource["body"]).read_bytes()
        except OSError as error:
            app.logger.error("body of %s: %s", resource["url"], error)
            return RecordedResponse(b"", 500)
    return RecordedResponse(body, resource["status"], [tuple(pair) for pair in resource["headers"]])


def read_resources(site_folder: Path) -> dict:
    """The manifest's resources by method and URL."""
    file = site_folder / "index.json"
    try:
        manifest = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise DamagedSite(f"{file}: {error}") from error
    if not isinstance(manifest, dict) or manifest.get("formatVersion") != CACHE_FORMAT_VERSION:
        raise DamagedSite(f"{file}: not a site manifest of format version {CACHE_FORMAT_VERSION}")
    resources = {}
    for resource in manifest["resources"]:
        body = resource["body"]
        if body is not None and not PLAIN_BODY_FILE.fullmatch(body):
            raise DamagedSite(f"{file}: body {body} is not a plain file name in bodies/")
        resources[resource["method"], resource["url"]] = resource
    return resources
