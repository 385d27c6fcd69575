import {
  phasesSchema,
  replaySchema,
  trafficSchema,
  versionsSchema,
} from '../../clients/chromium/records.ts';
import type { Observation } from '../../ground/records/observation.ts';
import * as s from '../../ground/records/schema.ts';
import { liveDetailsSchema } from './live-record.ts';

/** Of so many of a site's resources the record says when they came: more are no clearer in a chart. */
export const MOST_FINISH_TIMES = 500;

const exchangeSchema = s.object(
  {
    request: s.text('Method and URL.'),
    status: s.orNull(s.count('Of the response; null: no whole response came.')),
    fields: s.map(
      s.text(''),
      "Header fields of the response by their names in lower case, values of secrets left out as in HARs; without date, the fields of HTTP/1.1's connection and the dates that servers move along.",
    ),
  },
  'A request that was sent, and its response.',
);

/** A request that was sent, and its response. */
export type Exchange = s.Static<typeof exchangeSchema>;

/** What a page load's record has beside what all have. */
export const pageLoadDetailsSchema = s.object(
  {
    phasesMs: s.orNull(phasesSchema),
    traffic: s.orNull(trafficSchema),
    replay: s.orNull(replaySchema),
    requestSetSha256: s.optional(
      s.orNull(
        s.sha256(
          'Over method and URL of the requests sent, each once, favicon.ico left out: the same in two loads that asked for the same; null: no HAR.',
        ),
      ),
    ),
    exchangesSha256: s.optional(
      s.orNull(
        s.sha256(
          'Over `exchanges`: the same in two loads with the same requests and the same responses; null: no HAR.',
        ),
      ),
    ),
    exchanges: s.optional(
      s.list(
        exchangeSchema,
        'Each once, sorted, favicon.ico left out. Absent: a load before has the same `exchangesSha256` and lists them; or its cell has 10 lists or 500 kB of them already; or no HAR.',
      ),
    ),
    versions: s.optional(
      s.orNull(versionsSchema, 'By which versions of HTTP its responses came; null: no HAR.'),
    ),
    earlier: s.optional(
      s.orNull(
        versionsSchema,
        'The same of the load before the measured one; null: there was none, or no HAR of it.',
      ),
    ),
    backBy: s.optional(
      s.list(
        s.list(s.text('As httpVersion in HAR: h2, h3.'), 'Protocols of the responses.'),
        "By which protocols the responses of the document's host came each time that the browser came back before the load, only to hear what the servers offer (visits discovered, h3-used, h3-broken); absent: it did not.",
      ),
    ),
    changedOver: s.optional(
      s.orNull(
        s.object(
          {
            url: s.text('Its URL.'),
            request: s.count(
              'Which of the requests sent it is, in order of their start (1, 2 ...).',
            ),
            atMs: s.number('When it started, from the start of the page.'),
          },
          'The first request that came by HTTP/3 after one of the same host had come by HTTP/2; null: none did.',
        ),
      ),
    ),
    names: s.optional(
      s.orNull(
        s.object(
          {
            asked: s.count("Questions of the browser to the bench's name server."),
            httpsRecords: s.count('HTTPS records that it was answered with.'),
          },
          'What the browser asked for the names of hosts; null: it knew them by its command line, or the load never began.',
        ),
      ),
    ),
    finishMs: s.optional(
      s.orNull(
        s.list(
          s.orNull(
            s.number('In ms, to a tenth of one; null: it was not asked for, or never came.'),
          ),
          `When the last byte of each of the site's resources came over the network, in the order of its manifest, the first ${MOST_FINISH_TIMES}, after the main document was asked for; null: no HAR.`,
        ),
      ),
    ),
    breaks: s.optional(
      s.object(
        {
          brokenRequests: s.count(
            'Requests that broke after it, and those that hung where nothing came any more.',
          ),
          reloads: s.count('How often the page was reloaded because of them, at most 3.'),
          stalls: s.count('How often of these because nothing came for 10 s.'),
        },
        'What became of the page after what happened to its path; absent: nothing was to happen, or the load never began.',
      ),
    ),
    live: s.optional(liveDetailsSchema),
    dialogs: s.optional(
      s.count(
        'Dialogs (alert, confirm, prompt, beforeunload) that the page opened and that were closed at once; absent: none.',
      ),
    ),
    blamed: s.optional(
      s.list(
        s.text('A URL.'),
        'Resources for which the load is invalid, the first 20; absent: none, or unknown.',
      ),
    ),
  },
  'What only page loads have.',
);

export type PageLoadDetails = s.Static<typeof pageLoadDetailsSchema>;

/** One attempted page load: one line of page-loads.jsonl. */
export type PageLoad = Observation<PageLoadDetails>;

export type { LoadPhasesMs } from '../../clients/chromium/records.ts';
