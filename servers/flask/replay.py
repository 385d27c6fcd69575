"""Replies to requests by the rules of servers/README.md, as in servers/replay/*.ts.

Both are tested with the same cases: test/fixtures/replay-cases.json. No input or output here. Werkzeug parses dates and
entity tags, but not ranges, because it does not distinguish a range behind the end from a missing one.
"""

import math
import re
from collections import Counter
from datetime import datetime
from typing import NamedTuple, Optional
from urllib.parse import urljoin, urlsplit, urlunsplit

from werkzeug.http import http_date, parse_date, parse_etags, unquote_etag

# Chromium needs it with HTTP/3, and every stack sends the same headers: see servers/README.md.
ALTERNATIVE_SERVICE = 'h3=":443"; ma=86400'
# Headers that describe a body that is not sent.
BODY_HEADERS = {"content-encoding", "content-language", "content-range", "content-type"}

# With spaces in the date as in HTTP, or hyphens as in many cookies.
DATE = re.compile(
    r"[A-Za-z]{3,9}, [0-9]{2}([ -])[A-Z][a-z]{2}\1(?!00)[0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT"
)
# The end of the year 9999: later years do not fit in four digits.
LAST_S = 253_402_300_799
COOKIE_EXPIRY = re.compile(r"(;[ \t]*expires=)([^;]*)", re.IGNORECASE | re.ASCII)
# More digits than any file needs.
ONE_RANGE = re.compile(r"bytes=([0-9]{0,15})-([0-9]{0,15})", re.IGNORECASE | re.ASCII)


class Request(NamedTuple):

    method: str
    host: str
    # Path and query, not decoded.
    path: str
    # Returns the value of a request header by its name in lower case, or None.
    header: object


class Reply(NamedTuple):
    """The response without the bytes of its body."""

    status: int
    # Pairs of name and value in the order sent, names in lower case.
    headers: list
    # "exact", "query" or "none".
    match: str = "none"
    # The matched resource.
    resource: Optional[dict] = None
    # First and last byte of the part of the body file to send.
    bytes: Optional[tuple] = None
    may_have_body: bool = True
    # Delay of the recorded server's answer, in whole ms.
    wait_ms: int = 0


class Replay:
    """Answers for a site's manifest."""

    def __init__(self, manifest, sub_resources="served"):
        # Without sub-resources only exact matches: another query is a different URL.
        self.guesses = sub_resources == "served"
        self.exact = {}
        self.same_path = {}
        for resource in manifest["resources"] if self.guesses else document_chain_of(manifest):
            key = f"{resource['method']} {resource['url']}"
            place, _, query = key.partition("?")
            self.exact[key] = resource
            self.same_path.setdefault(place, []).append((resource, parameters_of(query)))
        recorded_at = manifest.get("recordedAt")
        self.recorded_at_s = None
        if recorded_at is not None:
            moment = datetime.fromisoformat(recorded_at.replace("Z", "+00:00"))
            self.recorded_at_s = math.floor(moment.timestamp())

    def reply(self, request, now_s):
        """The reply to a request at a time in seconds since 1970."""
        return completed(self.answer(request, math.floor(now_s)), request.method, now_s)

    def answer(self, request, now_s):
        """A reply without the fields that every reply has."""
        method = request.method
        if request.header("service-worker") is not None:
            return MISS
        preflight = method == "OPTIONS"
        wanted = request.header("access-control-request-method") if preflight else method
        if wanted is None or (preflight and request.header("origin") is None):
            return MISS
        host = re.sub(r":443\Z", "", request.host.lower())
        match, resource = self.find("GET" if wanted == "HEAD" else wanted, host, request.path)
        if resource is None:
            return MISS
        if preflight:
            return Reply(204, permission(request, wanted), match, resource)
        resource = answer_to(resource, request.header("cookie"))
        headers = shifted_headers(resource["headers"], self.recorded_at_s, now_s)
        answer = recorded(request, resource, headers)
        return answer._replace(match=match, resource=resource, wait_ms=resource.get("waitMs", 0))

    def find(self, method, host, path):
        """The match of a request ("exact", "query" or "none"), and its resource."""
        key = f"{method} https://{host}{path}"
        known = self.exact.get(key)
        if known is not None:
            return "exact", known
        if not self.guesses:
            return "none", None
        place, _, query = key.partition("?")
        requested = parameters_of(query)
        candidates = [
            (likeness_of(requested, parameters), resource)
            for resource, parameters in self.same_path.get(place, ())
            if not leads_to(resource, host, path)
        ]
        # The first of several equally similar ones.
        best = max(candidates, key=lambda each: each[0], default=None)
        return ("none", None) if best is None else ("query", best[1])


MISS = Reply(404, [])


def document_chain_of(manifest):
    """The site's main document, its redirects and its bounces; each of them was recorded."""
    recorded = {each["url"]: each for each in manifest["resources"] if each["method"] == "GET"}
    found = []

    def follow(following):
        while following is not None and following not in found:
            found.append(following)
            for bounce in bounces_of(following):
                follow(recorded.get(led_to(bounce)))
            # Moves the step behind the redirects that lead back to it.
            found.remove(following)
            found.append(following)
            following = recorded.get(led_to(following))

    follow(recorded.get(manifest["url"]))
    return found


def bounces_of(resource):
    """The bounces of a resource in order, each as a resource that replaces it."""
    where = {name: resource[name] for name in ("url", "method")}
    return [
        {**where, **bounce, "body": None, "wireBytes": 0} for bounce in resource.get("bounces", ())
    ]


def answer_to(resource, cookies):
    """The answer of a matched resource, depending on the Cookie header."""
    # Werkzeug ignores cookies whose value has a blank or a quote in it.
    carried = re.split("; *", cookies or "")
    for bounce in bounces_of(resource):
        if not any(pair.startswith(f"{bounce['cookie']}=") for pair in carried):
            return bounce
    return resource


def led_to(resource):
    """The URL of a redirect; None: not a redirect."""
    location = first_values(resource).get("location")
    if location is None or not 300 <= resource["status"] <= 399:
        return None
    # As written by a browser, like all URLs of manifests.
    to = urlsplit(urljoin(resource["url"], location))
    host = re.sub(r":443\Z", "", to.netloc.lower())
    # Browsers keep a query that is empty.
    mark = "?" if to.query == "" and location.partition("#")[0].endswith("?") else ""
    return urlunsplit((to.scheme, host, to.path or "/", to.query, "")) + mark


def first_values(resource):
    """The recorded header fields by name, the first of each name."""
    return dict(reversed([tuple(pair) for pair in resource["headers"]]))


def failed_reply(method, now_s):
    """The response if the recorded body cannot be read."""
    return completed(MISS._replace(status=500), method, now_s)


def completed(answer, method, now_s):
    """Adds the date, the offer of HTTP/3 and, where HTTP allows a body, its length."""
    lengthless = answer.status in (204, 304)
    headers = [
        *answer.headers,
        ("date", http_date(math.floor(now_s))),
        ("alt-svc", ALTERNATIVE_SERVICE),
    ]
    if not lengthless:
        headers.append(("content-length", str(length_of(answer.bytes))))
    may_have_body = method != "HEAD" and not lengthless
    return answer._replace(
        headers=headers,
        bytes=answer.bytes if may_have_body else None,
        may_have_body=may_have_body,
        wait_ms=math.floor(answer.wait_ms + 0.5),
    )


def parameters_of(query):
    """The parts of a query between `&`, not decoded: pairs, and their names."""
    pairs = [pair for pair in query.split("&") if pair != ""]
    return pairs, [pair.partition("=")[0] for pair in pairs]


def likeness_of(requested, recorded_parameters):
    """Criteria by priority; larger is more similar."""
    equal_pairs = in_common(requested[0], recorded_parameters[0])
    equal_names = in_common(requested[1], recorded_parameters[1])
    unlike = len(requested[1]) + len(recorded_parameters[1]) - 2 * equal_names
    return equal_pairs, equal_names, -unlike


def in_common(left, right):
    """Number of elements that both lists have, with repetitions."""
    return (Counter(left) & Counter(right)).total()


def leads_to(resource, host, path):
    """Whether a resource redirects to the requested URL itself: a loop."""
    if not 300 <= resource["status"] <= 399:
        return False
    requested = (path, f"//{host}{path}", f"https://{host}{path}")
    return any(name == "location" and value in requested for name, value in resource["headers"])


def permission(request, method):
    """Headers that a CORS preflight requests."""
    names = request.header("access-control-request-headers")
    return [
        ("access-control-allow-origin", request.header("origin")),
        ("access-control-allow-methods", method),
        *([] if names is None else [("access-control-allow-headers", names)]),
        ("access-control-allow-credentials", "true"),
    ]


def recorded(request, resource, headers):
    """The recorded response: whole, in part, or as not modified."""
    size = resource["wireBytes"]
    whole = Reply(resource["status"], headers, bytes=(0, size - 1) if size else None)
    if resource["status"] != 200 or request.method not in ("GET", "HEAD"):
        return whole
    values = first_values(resource)
    etag, last_modified = values.get("etag"), values.get("last-modified")
    bodiless = [pair for pair in headers if pair[0] not in BODY_HEADERS]
    if is_not_modified(request.header, etag, last_modified):
        return Reply(304, bodiless)
    requested = request.header("range")
    if requested is None or request.method != "GET" or values.get("accept-ranges") == "none":
        return whole
    if not is_same_for_range(request.header, etag, last_modified):
        return whole
    part = byte_range(requested, size)
    if part is None:
        return whole
    if part == "unsatisfiable":
        return Reply(416, [*bodiless, ("content-range", f"bytes */{size}")])
    unchanged = [pair for pair in headers if pair[0] != "content-range"]
    place = f"bytes {part[0]}-{part[1]}/{size}"
    return Reply(206, [*unchanged, ("content-range", place)], bytes=part)


def is_not_modified(header, etag, last_modified):
    """Whether the browser has the response already (RFC 9110, sections 13.1.2 and 13.1.3)."""
    known = header("if-none-match")
    if known is not None:
        return bool(etag) and parse_etags(known.strip()).contains_weak(unquote_etag(etag)[0])
    since = header("if-modified-since")
    return since is not None and last_modified is not None and is_not_before(since, last_modified)


def is_same_for_range(header, etag, last_modified):
    """Whether a range may be answered with a part (RFC 9110, section 13.1.5)."""
    condition = header("if-range")
    if condition is None:
        return True
    if read_http_date(condition) is None:
        return condition == etag and not etag.startswith("W/")
    return last_modified is not None and is_not_before(condition, last_modified)


def is_not_before(text, last_modified):
    """Whether a date is not before the recorded Last-Modified, which is sent shifted to a later date each time."""
    sent_s, recorded_s = read_http_date(text), read_http_date(last_modified)
    return sent_s is not None and recorded_s is not None and sent_s >= recorded_s


def byte_range(header, size):
    """First and last byte of the range, "unsatisfiable", or None to send the whole (RFC 9110, section 14.1.2)."""
    found = ONE_RANGE.fullmatch(header.strip())
    if found is None or found.groups() == ("", "") or size == 0:
        return None
    start, stop = found.groups()
    end = size - 1
    if start == "":
        return "unsatisfiable" if int(stop) == 0 else (max(0, size - int(stop)), end)
    first, last = int(start), end if stop == "" else int(stop)
    if stop != "" and last < first:
        return None
    return "unsatisfiable" if first > end else (first, min(last, end))


def length_of(part):
    return 0 if part is None else part[1] - part[0] + 1


def shifted_headers(headers, recorded_at_s, now_s):
    """The recorded headers, with dates moved by the time since the recording."""
    if recorded_at_s is None or now_s <= recorded_at_s:
        return [(name, value) for name, value in headers]
    by_s = now_s - recorded_at_s

    def later_if_ahead(text):
        # A date before the recording stays in the past: sites use old dates for "never".
        return later_date(text, by_s) if (read_http_date(text) or 0) > recorded_at_s else text

    def shifted(name, value):
        if name == "expires":
            return later_if_ahead(value)
        if name == "last-modified":
            return later_date(value, by_s)
        if name == "set-cookie":
            return COOKIE_EXPIRY.sub(lambda found: found[1] + later_if_ahead(found[2]), value)
        return value

    return [(name, shifted(name, value)) for name, value in headers]


def read_http_date(text):
    """The time of an HTTP date, in seconds since 1970; None: not valid."""
    moment = parse_date(text) if DATE.fullmatch(text) else None
    return None if moment is None else round(moment.timestamp())


def later_date(text, by_s):
    """The date shifted in its own format; invalid dates, and dates shifted beyond the year 9999, stay unchanged."""
    at_s = read_http_date(text)
    if at_s is None or at_s + by_s > LAST_S:
        return text
    weekday, day, month, rest = http_date(at_s + by_s).split(" ", 3)
    return f"{weekday} {DATE.fullmatch(text)[1].join([day, month, rest])}"
