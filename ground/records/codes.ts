import type { Codes } from '../experiment.ts';

/** Values of `code` in records of several experiments. An experiment has its own in addition. */
export const CODES = {
  failed: {
    timeout:
      'The load event was late, or the page did not report its timings after it; or an attempt of another kind was late.',
    'navigation-failed': 'The main document could not be loaded.',
    'server-failed': 'The server of this attempt ended or did not start.',
    'earlier-load-failed':
      'The preceding load failed, which `repeat`, `resumed`, `reload` and `discovered` visits need.',
    'handshake-failed': 'No connection was made.',
    'other-server-failed': 'The server of another stack ended (earlier versions).',
    'network-failed': 'The path broke.',
    'names-unanswered':
      "The bench's name server, which resolves hosts of stacks with HTTP/2 and HTTP/3, ended or did not answer.",
    'browser-failed': 'The browser did not start, or ended.',
    'browser-hung': 'The browser stopped responding and was killed.',
    'page-crashed': "The page's process crashed.",
    'har-failed':
      'The load ended, but its HAR could not be written, or Firefox did not report all of its requests.',
    'packets-failed': 'The attempt ended, but its packets could not be written (`--packets`).',
    'given-up':
      'Skipped: earlier attempts of this subject, arm and condition failed in a row by their server or page. Except for live pages, other arms worked.',
    'given-up-broken': 'The same, but the client, path or benchmark broke some of them.',
    'client-failed': 'The client program failed.',
    'page-broken': 'A path event (`--event`) broke the page, and three reloads did not mend it.',
  },
  invalid: {
    'not-together':
      'Another arm of the block, due at the same time, failed: nothing is known of this one.',
    'clock-jumped':
      'Wall clock and monotonic clock diverged by more than 0.5 s: the machine was suspended, or its clock set.',
    'machine-stalled': 'Nothing ran for a second longer than expected: the machine stood still.',
    'path-disturbed': 'The path dropped or lost packets that the condition does not lose.',
    'event-too-late': 'The attempt ended before its path event (`--event`).',
    'event-without-connection': 'No connection existed that the event could change.',
    'nothing-lost':
      'Fewer packets came towards the client than the number of the packet to lose (`--lose`).',
    'wrong-protocol':
      "A response had another protocol than the stack's; with HTTP/2 and HTTP/3: neither, or not HTTP/3 on a `forced` visit; on a live page: the document, or a response of a host with HTTP/3. Or the browser tried TCP where QUIC alone was to be used, or QUIC where TCP was.",
    'not-discovered':
      'On a `discovered` visit to a stack with both, the load before did not begin by HTTP/2, or no response carried Alt-Svc for HTTP/3. On `h3-used` and `h3-broken`: the second load was not by HTTP/3, or the third was though UDP is blocked.',
    'no-https-record': 'An `https-record` visit to a stack with both versions got no HTTPS record.',
    'https-record': 'Another visit to such a stack got an HTTPS record.',
    'wrong-tls': 'A response over TCP had a newer TLS than `choices.tlsMost`.',
    'wrong-key-exchange':
      'The group was not `choices.keyExchange`. Not checked for your own servers, nor by libcurl over QUIC, which does not report it.',
    'from-cache':
      'A response came from the cache on a visit other than `repeat` and `reload`, or the main document of a `reload` did.',
    'nothing-cached':
      'A `repeat` or `reload` visit found nothing cached, though some response is cacheable.',
    'connection-kept':
      'A connection from before the load carried its requests, except on a `reload` that is meant to use one.',
    'connection-not-kept':
      'The main document of a `reload` came over a new connection, though the protocol keeps connections.',
    'handshakes-unknown': 'Not every handshake packet was seen on the path.',
    resumed:
      'A connection offered a ticket from before the load, and no earlier full handshake with that host and transport had been answered (`clientHelloMs`, `serverHelloMs`).',
    'early-data': 'The same, with early data.',
    'not-resumed':
      'The first connection to a host made a full handshake on a `resumed` visit, or despite an offered ticket.',
    'no-handshake':
      "The main document's connection was not set up in this load, or faster than its round trips allow.",
    'foreign-host': "A connection went to an address outside the site's servers.",
    'too-many-connections':
      'On a path without loss or drops: more connections to a host than the browser allows, or to a transfer than its protocol needs. On any path: a transfer by Chromium over HTTP/2 used several connections.',
    'request-failed':
      'A recorded resource did not arrive, or broke off; on a live page by HTTP/3: any resource of a host with forced QUIC.',
    'request-set-differs': 'The page requested other resources than recorded.',
    'wrong-body':
      'A complete body had another decoded length than recorded, or other bytes. Bytes are compared after the first load of each page, stack and kind of visit since its servers started.',
    'film-failed': 'The load ended, but it has no film (`--film`).',
    'wrong-status':
      'A response had another status than recorded; a live page had status 400 or more.',
  },
  unsupported: {
    unsupported:
      'Server or client lacks it: another TLS version, HTTP/3, an address of that family, a ticket.',
    'no-h3':
      'Not loaded: before its loads, the host of a live page did not answer a request by HTTP/3 (`--live`).',
    'no-h2': 'The same for HTTP/2.',
    'udp-blocked':
      "The stack has QUIC alone, and the condition blocks UDP: no request was made; the path's calibration has the proof.",
    'udp-rejected': 'The same where the condition rejects UDP.',
  },
} as const satisfies Codes;
