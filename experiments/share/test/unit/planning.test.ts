import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ArmSettings } from '../../../../ground/records/run.ts';
import { bunH2 } from '../../../../servers/bun-h2/stack.ts';
import { flaskH1 } from '../../../../servers/flask-h1/stack.ts';
import { lsquicH3 } from '../../../../servers/lsquic-h3/stack.ts';
import { NONE } from '../../../../test/unit/report/fixture-run.ts';
import { assertOneTcp } from '../../planning.ts';
import type { Mix } from '../../records.ts';

const RENO: ArmSettings = { congestionControl: 'reno' };
const STACKS = [lsquicH3, bunH2, { ...flaskH1, settings: RENO }];

function mix(...stacks: string[]): Mix {
  return { subject: stacks.join('+'), flows: stacks.map((stack) => ({ stack, flows: 1 })) };
}

function assertTcp(...mixes: Mix[]): void {
  assertOneTcp({ mixes, durationMs: 1000, startGapMs: 0 }, STACKS, [NONE]);
}

test('rejects stacks with different TCP in one mix, and accepts them in two', () => {
  const refused = /--flows: bun-h2 and flask-h1 .*one setting of TCP/;
  assert.throws(() => assertTcp(mix('lsquic-h3', 'bun-h2'), mix('bun-h2', 'flask-h1')), refused);
  assertTcp(mix('lsquic-h3', 'bun-h2'), mix('lsquic-h3', 'flask-h1'));
});
