import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import type { PlanRecord } from '../../../ground/records/run.ts';
import { ServerError } from '../../../ground/system/errors.ts';
import { measureRun } from '../../../runner/benchmark.ts';
import type { PreparedRun } from '../../../runner/campaign/prepare.ts';
import { http2Arms, withHttp2Hosts } from '../../../runner/http2-hosts.ts';
import type { Server } from '../../../runner/servers.ts';
import { withTemporaryFolder } from '../../temporary-folder.ts';
import { drawsIn, NEVER, run } from './example-run.ts';
import { fakeTestBedWith } from './fake-test-bed.ts';

const HOSTS = { h3: ['a.test'], h2: ['b.test'] };
const PLAN = {
  arms: [
    { arm: 'q', protocol: 'h3', controlOf: null },
    { arm: 'q-control', protocol: 'h3', controlOf: 'q' },
    { arm: 'twin-q', protocol: 'h3', controlOf: null, comparedWith: 'twin-t' },
    { arm: 'twin-q-control', protocol: 'h3', controlOf: 'twin-q' },
    { arm: 't', protocol: 'h2', controlOf: null },
    { arm: 'twin-t', protocol: 'h2', controlOf: null },
  ],
  analysis: { baseline: 't' },
} as unknown as PlanRecord;

test('an arm over HTTP/3 uses the server of the arm that it, or what it repeats, is compared with', () => {
  assert.deepEqual(Object.fromEntries(http2Arms({ hostsByProtocol: HOSTS }, PLAN)), {
    q: 't',
    'q-control': 't',
    'twin-q': 'twin-t',
    'twin-q-control': 'twin-t',
  });
  assert.equal(http2Arms({}, PLAN).size, 0);
  assert.equal(http2Arms({ hostsByProtocol: { ...HOSTS, h2: [] } }, PLAN).size, 0);
});

function server(stack: string, port: number, assertAlive = () => {}): Server {
  return {
    stack: { stack },
    origins: { 'a.test': `10.0.0.1:${port}`, 'b.test': `10.0.0.2:${port}` },
    pid: port,
    spkiPins: ['shared', stack],
    assertAlive,
  } as unknown as Server;
}

const ARMS = new Map([['q', 't']]);

test('hosts without HTTP/3 lead to the server over HTTP/2, with the pins of both', () => {
  const overTcp = server('t', 2);
  const started = { servers: [server('q', 1), overTcp], failed: new Map() };
  const [composed, other] = withHttp2Hosts(started, HOSTS.h2, ARMS).servers;
  assert.deepEqual(composed?.origins, { 'a.test': '10.0.0.1:1', 'b.test': '10.0.0.2:2' });
  assert.deepEqual(composed?.http2Hosts, ['b.test']);
  assert.deepEqual([composed?.pid, composed?.http2Pids], [1, [2]]);
  assert.deepEqual(composed?.spkiPins, ['shared', 'q', 't']);
  assert.equal(other, overTcp);
  assert.deepEqual(withHttp2Hosts(started, [], new Map()).servers, started.servers);
});

test('an arm fails with the reason of the server over HTTP/2 that ended or did not start', async () => {
  const error = new ServerError('The t server ended.', 't');
  const end = () => {
    throw error;
  };
  const ended = { servers: [server('q', 1), server('t', 2, end)], failed: new Map() };
  assert.throws(() => withHttp2Hosts(ended, HOSTS.h2, ARMS).servers[0]?.assertAlive(), error);
  const absent = { servers: [server('q', 1)], failed: new Map([['t', error]]) };
  const { servers, failed } = withHttp2Hosts(absent, HOSTS.h2, ARMS);
  assert.deepEqual(servers, []);
  assert.equal(failed.get('q'), error);
  const mute = server('t', 2);
  mute.assertAnswers = async () => end();
  const started = { servers: [server('q', 1), mute], failed: new Map() };
  await assert.rejects(async () => {
    await withHttp2Hosts(started, HOSTS.h2, ARMS).servers[0]?.assertAnswers?.();
  }, error);
});

const SITE = 'www.example.org';

const WORDS = ['--stacks', 'lsquic-h3,bun-h2', '--rtt', '0', '--seed', '7', '--sites', SITE];

/** Measures a run of the example whose page has a host without HTTP/3. */
function measureSplit(testBed: ReturnType<typeof fakeTestBedWith>) {
  return (prepared: PreparedRun) => {
    const subjects = prepared.plan.subjects.map((each) => ({
      ...each,
      planned: { ...each.planned, hostsByProtocol: { h3: [SITE], h2: ['b.test'] } },
    }));
    const plan = { ...prepared.plan, subjects };
    return measureRun({ ...prepared, plan }, NEVER, undefined, testBed);
  };
}

test('TCP is set for loads over HTTP/3 too, as some of their hosts use it', () =>
  withTemporaryFolder(async (folder) => {
    let settings = 0;
    const setTcp = async () => void settings++;
    const words = [...WORDS, '--repetitions', '2', '--out', path.join(folder, 'run')];
    await run(words, { measure: measureSplit(fakeTestBedWith({ setTcp })) });
    assert.equal(settings, (await drawsIn(path.join(folder, 'run'))).length);
    assert.ok(settings >= 4);
  }));

for (const ailment of ['absent', 'ended'] as const) {
  test(`in a run, loads over HTTP/3 fail as server-failed when the server over HTTP/2 is ${ailment}`, () =>
    withTemporaryFolder(async (folder) => {
      const out = path.join(folder, 'run');
      const testBed = fakeTestBedWith({ ailmentOf: (arm) => (arm === 'bun-h2' ? ailment : null) });
      const reason = /The bun-h2 server (did not start|ended)\./;
      const words = [...WORDS, '--repetitions', '2', '--stop-after', '9', '--out', out];
      const running = run(words, { measure: measureSplit(testBed) });
      await assert.rejects(running, reason);
      const loads = await drawsIn(out);
      const overHttp3 = loads.filter(({ arm }) => arm === 'lsquic-h3');
      assert.ok(overHttp3.length > 0);
      for (const { code, message } of loads) {
        assert.equal(code, 'server-failed');
        assert.match(message ?? '', reason);
      }
    }));
}
