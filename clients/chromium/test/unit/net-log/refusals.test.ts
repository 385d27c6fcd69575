import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRefusals } from '../../../net-log/refusals.ts';

const CONSTANTS = {
  logEventTypes: { QUIC_SESSION: 1, QUIC_SESSION_CLOSED: 2, CERT_VERIFIER_JOB: 3 },
  logSourceType: { QUIC_SESSION: 1, CERT_VERIFIER_JOB: 2 },
  logEventPhase: { PHASE_BEGIN: 1, PHASE_END: 2, PHASE_NONE: 0 },
  netError: { ERR_CERT_AUTHORITY_INVALID: -202 },
  quicError: { QUIC_NETWORK_IDLE_TIMEOUT: 25, QUIC_CONNECTION_CANCELLED: 70 },
  certStatusFlag: { COMMON_NAME_INVALID: 1, AUTHORITY_INVALID: 4 },
};

function lines(events: readonly [type: number, phase: number, id: number, params: object][]) {
  return [
    `{"constants":${JSON.stringify(CONSTANTS)},`,
    '"events": [',
    ...events.map(
      ([type, phase, id, params]) =>
        `${JSON.stringify({ type, phase, source: { type: 1, id }, time: '1', params })},`,
    ),
  ];
}

test("reads why sessions with a host ended, without other hosts and the browser's own ends", async () => {
  const { quicEnds } = await readRefusals(
    lines([
      [1, 1, 10, { host: 'a.test' }],
      [1, 1, 11, { host: 'b.test' }],
      [1, 1, 12, { host: 'a.test' }],
      [1, 1, 13, { host: 'a.test' }],
      [2, 0, 11, { quic_error: 25, from_peer: false, details: 'of another' }],
      [2, 0, 10, { quic_error: 25, from_peer: false, details: 'silence' }],
      [2, 0, 12, { quic_error: 70, from_peer: false, details: 'net error' }],
      [2, 0, 13, { quic_error: 999, from_peer: true, details: 'no application protocol' }],
    ]),
    'a.test',
  );
  assert.deepEqual(quicEnds, [
    { error: 'QUIC_NETWORK_IDLE_TIMEOUT', details: 'silence', fromServer: false },
    { error: 'QUIC error 999', details: 'no application protocol', fromServer: true },
  ]);
});

test('reports an open session with the host, and none with another', async () => {
  const hasQuic = async (events: Parameters<typeof lines>[0]) =>
    (await readRefusals(lines(events), 'a.test')).hasQuic;
  const begun: Parameters<typeof lines>[0][number] = [1, 1, 10, { host: 'a.test' }];
  assert.equal(await hasQuic([begun, [1, 1, 11, { host: 'b.test' }]]), true);
  assert.equal(await hasQuic([begun, [2, 0, 10, { quic_error: 70 }]]), false);
  assert.equal(await hasQuic([[1, 1, 11, { host: 'b.test' }]]), false);
});

test('reads certificate results with every problem, and valid ones too', async () => {
  const { verifications } = await readRefusals(
    lines([
      [3, 1, 20, { host: 'a.test', certificates: ['leaf', 'issuer'] }],
      [3, 1, 21, { host: 'b.test', certificates: ['other'] }],
      [3, 2, 21, { net_error: -202, cert_status: 4 }],
      [3, 2, 20, { net_error: -202, cert_status: 5, is_issued_by_known_root: false }],
      [3, 1, 22, { host: 'a.test', certificates: ['leaf'] }],
      [3, 2, 22, { cert_status: 0, is_issued_by_known_root: true }],
      [3, 1, 23, { host: 'a.test', certificates: ['cancelled'] }],
      [3, 2, 23, {}],
      [3, 1, 24, { host: 'a.test', certificates: ['cut'] }],
    ]),
    'a.test',
  );
  assert.deepEqual(verifications, [
    {
      error: 'ERR_CERT_AUTHORITY_INVALID',
      problems: ['COMMON_NAME_INVALID', 'AUTHORITY_INVALID'],
      isKnownRoot: false,
      chain: ['leaf', 'issuer'],
    },
    { error: '', problems: [], isKnownRoot: true, chain: ['leaf'] },
  ]);
});
