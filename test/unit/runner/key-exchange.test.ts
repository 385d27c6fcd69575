import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../../../experiments/connect/experiment.ts';
import { pageLoad } from '../../../experiments/page-load/experiment.ts';
import { sockets } from '../../../experiments/sockets/experiment.ts';
import { transfer } from '../../../experiments/transfer/experiment.ts';
import type { Experiment } from '../../../ground/experiment.ts';
import { chosenBefore } from '../../../ground/options/common.ts';
import { UsageError } from '../../../ground/system/errors.ts';
import { readOptions } from '../../../runner/options.ts';
import { STACKS } from '../../../servers/index.ts';
import { askedOfSite } from '../../../tools/by-hand/asked.ts';
import { fixtureRun } from '../report/fixture-run.ts';

const MLKEM = ['--key-exchange', 'x25519mlkem768'];

function asked(words: readonly string[], experiment: Experiment = pageLoad) {
  return readOptions(words, experiment).choices.keyExchange;
}

function refused(words: readonly string[], message: RegExp, experiment: Experiment = pageLoad) {
  assert.throws(
    () => asked([...MLKEM, ...words], experiment),
    (error) => error instanceof UsageError && message.test(error.message),
    `${words}`,
  );
}

test('servers and clients exchange keys by X25519, or by X25519MLKEM768 where all of them can', () => {
  assert.equal(asked([]), 'x25519');
  const able = STACKS.filter(({ keyExchanges }) => keyExchanges).map(({ stack }) => stack);
  assert.deepEqual(able.toSorted(), [
    ...['bun-dual', 'bun-h1', 'bun-h2', 'go-dual', 'go-h1', 'go-h2', 'lsquic-h3', 'quic-go-h3'],
  ]);
  assert.equal(asked([...MLKEM, '--stacks', able.join(',')]), 'x25519mlkem768');
  assert.equal(asked([...MLKEM, '--stacks', 'bun-h2', '--control', '']), 'x25519mlkem768');
  for (const client of ['bun', 'curl', 'chromium']) {
    const words = [...MLKEM, '--stacks', 'lsquic-h3,bun-h2', '--client', client];
    assert.equal(asked(words, transfer), 'x25519mlkem768', client);
  }
  // TCP alone exchanges no keys.
  assert.equal(asked(MLKEM, sockets), 'x25519mlkem768');
  const vias = ['--stacks', 'bun-h2', '--via', 'tcp,tls1.3'];
  assert.equal(asked([...MLKEM, ...vias], connect), 'x25519mlkem768');
  assert.throws(() => asked(['--key-exchange', 'kyber']), /kyber.*x25519, x25519mlkem768/);
});

test('what cannot do it is refused before anything is measured, with those that can', () => {
  refused([], /flask-h1 has x25519 alone\..* lsquic-h3, bun-h2, .*go-h2.*--stacks/);
  refused(['--stacks', 'lsquic-h3,hypercorn-h2'], /hypercorn-h2 has x25519 alone/);
  refused(['--stacks', 'lsquic-h3,bun-h2', '--tls', '1.2'], /TLS 1\.2 .*--tls 1\.2/);
  const ofConnections = ['--stacks', 'lsquic-h3,bun-h2', '--via', 'quic,tls1.2'];
  refused(ofConnections, /TLS 1\.2 .*tls1\.2 out of --via/, connect);
  const byAioquic = ['--stacks', 'lsquic-h3', '--via', 'quic', '--client', 'aioquic'];
  refused(byAioquic, /aioquic offers x25519 alone\. Use --client bun or curl/, connect);
  assert.throws(
    () => askedOfSite('www.example.org', { stack: 'flask-h1', 'key-exchange': 'x25519mlkem768' }),
    /flask-h1 has x25519 alone.*--stack,/,
  );
});

test('servers of your own are not told: another key exchange is refused, and they keep theirs', () => {
  const running = ['--stacks', 'bun-h2,mine-h2=https://a.test'];
  refused(running, /mine-h2 is a server of your own.*X25519MLKEM768 by its own settings/);
  refused(['--server', process.execPath], /own-h\d is a server of your own/);
  assert.equal(asked(running), 'x25519');
});

test('the report says what was asked of whom, and of a run before it could be asked for what all had', () => {
  const said = (change: (run: ReturnType<typeof fixtureRun>['run']) => void) => {
    const { run } = fixtureRun();
    change(run);
    return chosenBefore(run, pageLoad).find(([name]) => name === 'Key exchange')?.[1];
  };
  const own = { url: 'https://a.test' };
  assert.equal(
    said((run) => {
      delete run.choices.keyExchange;
    }),
    'x25519',
  );
  assert.match(
    said((run) => {
      Object.assign(run.arms[0] ?? {}, { own });
    }) ?? '',
    /^x25519, but of your own servers, which were not asked$/,
  );
  assert.match(
    said((run) => {
      for (const arm of run.arms) Object.assign(arm, { own });
    }) ?? '',
    /^as your own servers have it$/,
  );
});
