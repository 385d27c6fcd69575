"""Reads [site, requests] pairs as JSON from stdin and prints the replies of the implementation in Python."""

import json
import sys
from pathlib import Path

# No compiled file is to be left beside the sources.
sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parents[4] / "servers" / "flask"))

from replay import Replay, Request  # noqa: E402


def plain(reply):
    return {
        "status": reply.status,
        "headers": [list(pair) for pair in reply.headers],
        "match": reply.match,
        "url": reply.resource and reply.resource["url"],
        "bytes": reply.bytes and list(reply.bytes),
        "waitMs": reply.wait_ms,
    }


def replies(site, requests):
    replay = Replay(site, site.get("subResources", "served"))
    for request in requests:
        asked = Request(
            request["method"], request["host"], request["path"], request["headers"].get
        )
        yield plain(replay.reply(asked, request["nowMs"] / 1000))


print(json.dumps([list(replies(site, requests)) for site, requests in json.load(sys.stdin)]))
