import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageLoad } from '../../../experiments/page-load/experiment.ts';
import { choiceLines } from '../../../ground/options/common.ts';
import { readOptions } from '../../../runner/options.ts';
import { STACKS } from '../../../servers/index.ts';
import { readSiteRequest } from '../../../tools/by-hand/manual-request.ts';
import { fixtureRun } from '../report/fixture-run.ts';
import { withMadeUpStacks } from '../servers/made-up-stacks.ts';

const MLKEM = ['--key-exchange', 'x25519mlkem768'];

function optionsOf(words: readonly string[], experiment = pageLoad) {
  return readOptions(words, experiment).choices.keyExchange;
}

function refused(words: readonly string[], message: RegExp, experiment = pageLoad) {
  assert.throws(
    () => optionsOf([...MLKEM, ...words], experiment),
    { name: 'UsageError', message },
    `${words}`,
  );
}

test('exchanges keys by X25519, or by X25519MLKEM768 if all servers and clients support it', () => {
  assert.equal(optionsOf([]), 'x25519');
  const able = STACKS.filter(({ keyExchanges }) => keyExchanges).map(({ stack }) => stack);
  assert.ok(able.includes('lsquic-h3') && able.includes('bun-h2') && !able.includes('flask-h1'));
  assert.equal(optionsOf([...MLKEM, '--stacks', able.join(',')]), 'x25519mlkem768');
  assert.equal(optionsOf([...MLKEM, '--stacks', 'bun-h2', '--control', '']), 'x25519mlkem768');
  assert.throws(() => optionsOf(['--key-exchange', 'kyber']), /kyber.*x25519, x25519mlkem768/);
});

test('rejects what does not support it before measuring, with those that do', () => {
  refused([], /flask-h1 supports only x25519\..* lsquic-h3, bun-h2.*--stacks/);
  const stacks = ['--stacks', 'lsquic-h3,made-up-h2'];
  refused(stacks, /made-up-h2 supports only x25519/, withMadeUpStacks(pageLoad));
  refused(['--stacks', 'lsquic-h3,bun-h2', '--tls', '1.2'], /TLS 1\.2 .*--tls 1\.2/);
  assert.throws(
    () =>
      readSiteRequest('www.example.org', { stack: 'flask-h1', 'key-exchange': 'x25519mlkem768' }),
    /flask-h1 supports only x25519.*--stack,/,
  );
});

test("keeps the key exchange of a user's own server, and rejects another one", () => {
  const running = ['--stacks', 'bun-h2,mine-h2=https://a.test'];
  refused(running, /mine-h2 is a server of your own.*X25519MLKEM768/);
  refused(['--server', process.execPath], /own-h\d is a server of your own/);
  assert.equal(optionsOf(running), 'x25519');
});

test('reports the requested key exchanges, and for an older run the common one', () => {
  const said = (change: (run: ReturnType<typeof fixtureRun>['run']) => void) => {
    const { run } = fixtureRun();
    change(run);
    return choiceLines(run, pageLoad).find(([name]) => name === 'Key exchange')?.[1];
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
    /^x25519, except for your own servers$/,
  );
  assert.match(
    said((run) => {
      for (const arm of run.arms) Object.assign(arm, { own });
    }) ?? '',
    /^chosen by your own servers$/,
  );
});
