import assert from 'node:assert/strict';
import { test } from 'node:test';
import { armOf, stackOfArm } from '../../../experiments/arms.ts';
import { isProtocolPair } from '../../../experiments/stacks.ts';
import { UsageError } from '../../../ground/system/errors.ts';
import { readOptions } from '../../../runner/options.ts';
import { flaskH1 } from '../../../servers/flask-h1/stack.ts';
import { DEFAULT_BASELINE, PROTOCOL_PAIR, STACKS } from '../../../servers/index.ts';
import { stackOfName } from '../../../servers/stack-version.ts';
import { assertEach } from '../assert-each.ts';

const [{ stack: QUIC }, { stack: TCP }] = PROTOCOL_PAIR;

test('takes a version of a stack for an arm, with the twin of the same version', () => {
  const { stacks, analysis } = readOptions([
    '--stacks',
    `${QUIC}@1.2.3,${TCP}@1.2.3,${QUIC},${TCP}`,
  ]);
  assertEach(stacks, ({ stack, tcpTwin, comparedWith }) => [stack, tcpTwin?.stack, comparedWith], [
    [`${QUIC}@1.2.3`, `${TCP}@1.2.3`, `${TCP}@1.2.3`],
    [`${TCP}@1.2.3`, undefined, undefined],
    [QUIC, TCP, undefined],
    [TCP, undefined, undefined],
  ]);
  assert.equal(analysis.baseline, TCP);
  const [quic, tcp] = stacks;
  assert.equal(quic?.runtime, tcp?.runtime, 'one installation');
  assert.match(quic?.runtime?.program ?? '', /\.setup\/stacks\/\w+@1\.2\.3\//);
  assert.match(quic?.label ?? '', /, \w+ 1\.2\.3$/);
  assert.ok(isProtocolPair(`${QUIC}@1.2.3`, `${TCP}@1.2.3`));
  assert.ok(!isProtocolPair(`${QUIC}@1.2.3`, TCP));
});

test('compares versions by protocol with the version of --baseline', () => {
  const words = ['--stacks', `${QUIC}@1.2.3,${TCP}@1.2.3,${QUIC},${TCP}`];
  const against = (baseline: string) =>
    readOptions([...words, '--baseline', baseline]).stacks.map(({ comparedWith }) => comparedWith);
  assert.deepEqual(against(`${QUIC}@1.2.3`), [undefined, undefined, undefined, `${TCP}@1.2.3`]);
  assert.deepEqual(against(QUIC), [undefined, TCP, undefined, undefined]);
  const [, , third] = readOptions([
    ...['--stacks', `${QUIC}@1.2.3,${QUIC},${TCP}`],
    ...['--baseline', TCP],
  ]).stacks;
  assert.equal(third?.comparedWith, undefined, 'all with a baseline of one version');
});

test('finds the stack of an arm of a plan again', () => {
  for (const stack of STACKS.filter(({ runtime }) => runtime?.versions)) {
    const versioned = stackOfName(`${stack.stack}@4.5.6`, STACKS);
    assert.ok(versioned, stack.stack);
    const again = stackOfArm(armOf(versioned, { client: 'none' }));
    assert.deepEqual(again, versioned, stack.stack);
  }
});

test('rejects a version that is none, and a stack whose version is fixed', () => {
  const refused = (name: string, said: RegExp) =>
    assert.throws(
      () => readOptions(['--stacks', name]),
      (error) => error instanceof UsageError && said.test(error.message),
      name,
    );
  for (const version of [
    '',
    'latest',
    '../1',
    '1/2',
    '1'.repeat(41),
    '1@2',
    '-1',
    '1.2.3-tls1.2',
  ]) {
    refused(`${TCP}@${version}`, /expected a version of \w+ behind @, for example/);
  }
  refused(`${flaskH1.stack}@1.2.3`, /has the version that the project installs.*can be chosen of/);
  refused(`no-such@1.2.3`, /Unknown stack no-such@1\.2\.3/);
  assert.equal(stackOfName(DEFAULT_BASELINE.stack, STACKS), DEFAULT_BASELINE);
});

test('matches TCP of a version to the transport of that stack', () => {
  for (const { stack, tcpTwin, transport } of STACKS) {
    if (!tcpTwin?.runtime?.versions || transport?.congestionControls[0] !== 'reno') continue;
    const { stacks } = readOptions([
      '--stacks',
      `${stack}@1.2.3,${tcpTwin.stack}@1.2.3`,
      '--cc',
      'matched',
    ]);
    assertEach(stacks, ({ settings }) => settings?.congestionControl, ['reno', 'reno']);
  }
});
