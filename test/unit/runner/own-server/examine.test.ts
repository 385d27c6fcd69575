import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AskedResource, ResourceFound } from '../../../../clients/examiner.ts';
import { type Examination, examine } from '../../../../runner/own-server/examine.ts';
import { ownStack } from '../../../../servers/own-stack.ts';
import { ServerError } from '../../../../system/errors.ts';

const PAGE = 'https://www.a.test/';
const URL_OF_SERVER = 'https://203.0.113.7:8443';

const NOTHING: ResourceFound = {
  error: null,
  alpn: null,
  certificates: [],
  isChainWhole: false,
  status: null,
  headers: [],
  bodyBase64: '',
};

/** Examines a server over HTTP/3 that answers what it is asked like this; gives what is said of it. */
async function saidOf(answer: (asked: AskedResource) => ResourceFound): Promise<string> {
  const examination = {
    stack: ownStack('mine-h3', 'h3', { url: URL_OF_SERVER }),
    url: URL_OF_SERVER,
    reach: { ip: '203.0.113.7', port: 8443, isHere: false },
    site: {
      planned: { subject: 'www.a.test' },
      manifest: { url: PAGE, resources: [{ url: PAGE, method: 'GET', status: 200, headers: [] }] },
      folder: '/none',
      hosts: ['www.a.test'],
    },
    examiner: { ask: async (asked: AskedResource) => answer(asked) },
    agent: { run: async () => '' },
    tlsMost: '1.3',
  } as unknown as Examination;
  const error = await examine(examination).catch((thrown) => thrown);
  assert.ok(error instanceof ServerError);
  return error.message;
}

const OVER_TCP: ResourceFound = { ...NOTHING, alpn: 'h2', status: 200 };

test('a server that is silent over UDP and answers over TCP is said to speak HTTP/2', async () => {
  const error = { layer: 'udp', code: 'timeout', reason: 'Expected an answer, got none.' } as const;
  const said = await saidOf(({ via }) => (via === 'quic' ? { ...NOTHING, error } : OVER_TCP));
  assert.match(said, /Expected an answer, got none\. It speaks h2 at that port: have it speak h3/);
});

test('one that agreed on HTTP/3 and did not answer in time is not, whatever else it speaks', async () => {
  const error = { layer: 'http', code: 'timeout', reason: 'Expected a body, got none.' } as const;
  const said = await saidOf(({ via }) =>
    via === 'quic' ? { ...NOTHING, alpn: 'h3', error } : OVER_TCP,
  );
  assert.match(said, /Expected a body, got none\. npm run doctor/);
  assert.doesNotMatch(said, /It speaks/);
});
