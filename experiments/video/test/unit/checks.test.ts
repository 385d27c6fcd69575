import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Presentation } from '../../../../cache/presentation.ts';
import type { ConnectionRecord } from '../../../../ground/records/connection.ts';
import type { PathCounts } from '../../../../ground/records/network.ts';
import { NONE } from '../../../../test/unit/report/fixture-run.ts';
import { bindChecks, judgeAttempt } from '../../../checks.ts';
import { CHECKS, type Expected, type Observed, segmentFailed } from '../../checks.ts';
import type { MediaRequest } from '../../players/watched-session.ts';
import type { VideoDetails } from '../../records.ts';
import { detailsOf } from './fixture.ts';

const URL_OF_FIRST = 'https://video.example/v300/1.webm';

const PRESENTATION: Presentation = {
  durationMs: 4000,
  representations: [300, 700].map((kbps) => ({
    id: `v${kbps}`,
    kind: 'video',
    kbps,
    codecs: 'vp09.00.10.08',
    mime: 'video/webm',
    width: 256,
    height: 144,
    init: null,
    segments: [0, 2000].map((fromMs, index) => ({
      url: `https://video.example/v${kbps}/${index + 1}.webm`,
      bytes: null,
      fromMs,
      durationMs: 2000,
    })),
  })),
};

const ARRIVED: MediaRequest = {
  url: URL_OF_FIRST,
  range: null,
  requestedMs: 100,
  firstByteMs: 120,
  endMs: 200,
  bytes: 900,
  status: 200,
  protocol: 'h3',
  connectMs: null,
  failed: null,
};
const BROKEN: MediaRequest = { ...ARRIVED, endMs: null, failed: 'net::ERR_CONNECTION_CLOSED' };

function failed(...requests: MediaRequest[]) {
  return segmentFailed({ requests }, { presentation: PRESENTATION });
}

test('names the position of an incomplete segment that never arrived completely', () => {
  const problem = failed(BROKEN);
  assert.equal(problem?.code, 'segment-failed');
  assert.equal(
    problem.message,
    `The segment at 0 s of the picture at 300 kbit/s (${URL_OF_FIRST}) never arrived completely: net::ERR_CONNECTION_CLOSED, after 900 bytes.`,
  );
  assert.equal(failed(BROKEN, { ...ARRIVED, requestedMs: 300, endMs: 400 }), null);
  const otherRange = { ...ARRIVED, requestedMs: 300, range: [0, 10] } as const;
  assert.ok(failed(BROKEN, otherRange), 'another part of the file is not the piece');
});

test('does not count as failed what a player aborts, or what is in progress at the end', () => {
  assert.equal(failed({ ...BROKEN, failed: 'net::ERR_ABORTED' }), null);
  assert.equal(failed({ ...ARRIVED, endMs: null }), null);
});

test('fails for a refused segment that never arrived completely', () => {
  const refused = { ...ARRIVED, status: 404 };
  assert.equal(failed(refused, { ...ARRIVED, requestedMs: 300 }), null);
  const problem = failed(refused, { ...refused, requestedMs: 300 });
  assert.match(problem?.message ?? '', /never arrived completely: status 404, after 900 bytes/);
});

const COUNTS = { packets: 10, bytes: 900, lost: 0, queueDrops: 0 };

/** Result of a valid session with this change. */
function judged({
  details = {},
  choices = {},
  version = 'h3',
  opened = [{ address: '10.0.0.1:443', host: 'video.example' } as ConnectionRecord],
  path = {},
  group = 'X25519',
}: {
  details?: Partial<VideoDetails>;
  choices?: { adapts?: boolean; bitrateKbps?: number };
  version?: string;
  opened?: ConnectionRecord[];
  path?: Partial<PathCounts['toClient']>;
  group?: string;
} = {}) {
  const seen = { manifestMs: 60, segmentMs: 200, stalledMs: 0 };
  const entry = { request: { url: URL_OF_FIRST }, response: { status: 200, httpVersion: version } };
  const observed = {
    watched: { requests: [ARRIVED] },
    details: { ...detailsOf(seen), ...details },
    har: {
      log: {
        entries: [
          { ...entry, serverIPAddress: '10.0.0.1', _securityDetails: { keyExchangeGroup: group } },
        ],
      },
    },
    path: { toServer: COUNTS, toClient: { ...COUNTS, ...path }, event: null },
    connections: { opened, whole: true },
    time: { clocksApartMs: 0, longestStallMs: 0 },
    endedMs: 20_000,
  } as unknown as Observed;
  const expected: Expected = {
    presentation: PRESENTATION,
    protocol: 'h3',
    choices: { watchedMs: 20_000, bufferMs: null, adapts: true, bitrateKbps: null, ...choices },
    keyExchange: 'x25519',
    network: NONE,
    origins: { 'video.example': '10.0.0.1:443' },
  };
  return judgeAttempt(bindChecks(CHECKS, observed, expected), observed, expected).code;
}

test('accepts a session by the right protocol from the right server, and reports why otherwise', () => {
  assert.equal(judged(), null);
  assert.equal(judged({ version: 'h2' }), 'wrong-protocol');
  assert.equal(judged({ group: 'X25519MLKEM768' }), 'wrong-key-exchange');
  assert.equal(judged({ opened: [] }), 'no-handshake');
  assert.equal(judged({ path: { lost: 1 } }), 'path-disturbed');
  const foreign = { address: '10.0.0.9:443', host: 'video.example' } as ConnectionRecord;
  assert.equal(judged({ opened: [foreign] }), 'foreign-host');
});

test('requires a player that does not adapt to keep the requested quality level', () => {
  const withRepresentation = (representation: string) => ({
    requests: detailsOf({ manifestMs: 60, segmentMs: 200, stalledMs: 0 }).requests.map((each) =>
      each.kind === 'video' ? { ...each, representation } : each,
    ),
  });
  assert.equal(judged({ choices: { adapts: false } }), 'wrong-representation');
  assert.equal(judged({ choices: { adapts: false }, details: withRepresentation('v300') }), null);
  const at = (bitrateKbps: number) => ({ adapts: false, bitrateKbps });
  assert.equal(judged({ choices: at(699), details: withRepresentation('v300') }), null);
  assert.equal(
    judged({ choices: at(700), details: withRepresentation('v300') }),
    'wrong-representation',
  );
  assert.equal(judged({ choices: at(700), details: withRepresentation('v700') }), null);
});

test('reports a session without playback as never started', () => {
  const [element, ...rest] = detailsOf({ manifestMs: 60, segmentMs: 200, stalledMs: 0 }).reports;
  assert.ok(element);
  const reports = [{ ...element, startupMs: null }, ...rest];
  assert.equal(judged({ details: { reports } }), 'never-started');
});
