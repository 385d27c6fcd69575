import {
  largestPaintSchema,
  phasesSchema,
  replaySchema,
  trafficSchema,
  versionsSchema,
} from '../../clients/har/records.ts';
import type { Observation } from '../../ground/records/observation.ts';
import * as s from '../../ground/records/schema.ts';
import { liveDetailsSchema } from './live-record.ts';

/** Maximum number of finish times in a record: more make a chart no clearer. */
export const MOST_FINISH_TIMES = 500;

const exchangeSchema = s.object(
  {
    request: s.text('Method and URL.'),
    status: s.orNull(s.count('Of the response; null: no complete response.')),
    fields: s.map(
      s.text(''),
      'Header fields of the response by their names in lower case, without secrets as in HARs, date, connection fields of HTTP/1.1 and the dates that servers shift.',
    ),
  },
  'A request that was sent, and its response.',
);

export type Exchange = s.Static<typeof exchangeSchema>;

/** Fields of page loads in addition to those of all attempts. */
export const pageLoadDetailsSchema = s.object(
  {
    phasesMs: s.orNull(phasesSchema),
    waitingBeyondMs: s.optional(
      s.orNull(
        s.number(
          "Part of `phasesMs.waiting`, in ms, in which each waiting request was beyond the path's added round-trip time, or its server worked by its own account (Server-Timing); null: not known. Absent: before format 6.1.",
        ),
      ),
    ),
    traffic: s.orNull(trafficSchema),
    replay: s.orNull(replaySchema),
    requestSetSha256: s.optional(
      s.orNull(
        s.sha256(
          'Over method and URL of the requests sent, each once, without favicon.ico: equal in two loads with the same requests; null: no HAR.',
        ),
      ),
    ),
    exchangesSha256: s.optional(
      s.orNull(
        s.sha256(
          'Over `exchanges`: equal in two loads with the same requests and responses; null: no HAR.',
        ),
      ),
    ),
    exchanges: s.optional(
      s.list(
        exchangeSchema,
        'Each once, sorted, without favicon.ico. Absent: an earlier load with the same `exchangesSha256` lists them; or its cell already has 10 lists or 500 kB of them; or no HAR.',
      ),
    ),
    versions: s.optional(
      s.orNull(versionsSchema, 'Versions of HTTP of its responses; null: no HAR.'),
    ),
    earlier: s.optional(
      s.orNull(
        versionsSchema,
        'Versions of HTTP of the load before the measured one; null: no such load, or no HAR of it.',
      ),
    ),
    returnProtocols: s.optional(
      s.list(
        s.list(s.text('As httpVersion in HAR: h2, h3.'), 'Protocols of the responses.'),
        "Protocols of the responses of the document's host at each visit before the load that only discovers what the servers offer (visits discovered, h3-used, h3-broken); absent: no such visits.",
      ),
    ),
    changedOver: s.optional(
      s.orNull(
        s.object(
          {
            url: s.text('Its URL.'),
            request: s.count(
              'Its number among the requests sent, in order of their start, from 1.',
            ),
            atMs: s.number('Its start, from the start of the page.'),
          },
          'The first request by HTTP/3 after one to the same host by HTTP/2; null: no such request.',
        ),
      ),
    ),
    names: s.optional(
      s.orNull(
        s.object(
          {
            requested: s.count("Queries of the browser to the bench's name server."),
            httpsRecords: s.count('HTTPS records in the responses.'),
          },
          'DNS queries of the browser; null: its command line maps all names, or the load never began.',
        ),
      ),
    ),
    finishMs: s.optional(
      s.orNull(
        s.list(
          s.orNull(s.number('In ms, to 0.1 ms; null: not requested or not received.')),
          `Times of the last byte of the site's resources over the network, since the request for the main document, in the order of the manifest, for the first ${MOST_FINISH_TIMES}; null: no HAR.`,
        ),
      ),
    ),
    largestPaint: s.optional(
      s.orNull(
        largestPaintSchema,
        'What the largest contentful paint shows, and what it waited for; null: nothing was painted, or no HAR. Absent: before format 6.1.',
      ),
    ),
    breaks: s.optional(
      s.object(
        {
          brokenRequests: s.count(
            'Requests that failed after the event, and those that hung when no more data came.',
          ),
          reloads: s.count('Number of reloads because of them, at most 3.'),
          stalls: s.count('Number of these reloads because no data came for 10 s.'),
        },
        'Effects on the page of the event of its path; absent: the condition has no event, or the load never began.',
      ),
    ),
    live: s.optional(liveDetailsSchema),
    dialogs: s.optional(
      s.count(
        'Dialogs (alert, confirm, prompt, beforeunload) of the page, which were closed at once; absent: no dialogs.',
      ),
    ),
    blamed: s.optional(
      s.list(
        s.text('A URL.'),
        'The first 20 resources that make the load invalid; absent: no such resources, or unknown.',
      ),
    ),
  },
  'Fields of page loads alone.',
);

export type PageLoadDetails = s.Static<typeof pageLoadDetailsSchema>;

/** One line of page-loads.jsonl. */
export type PageLoad = Observation<PageLoadDetails>;

export type { LoadPhasesMs } from '../../clients/har/records.ts';
