import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawOptions } from '../../../../ground/options/row.ts';
import { assertEach } from '../../../../test/unit/assert-each.ts';
import { readSiteRequest } from '../../manual-request.ts';

function assertRefused(site: string, given: RawOptions, reason: RegExp): void {
  assert.throws(() => readSiteRequest(site, given), { name: 'UsageError', message: reason });
}

test('serves a site by lsquic over a path without added delay by default', () => {
  const { options, condition } = readSiteRequest('www.example.org', {});
  assert.deepEqual(options.subjects, ['www.example.org']);
  assertEach(options.stacks, ({ stack }) => stack, ['lsquic-h3']);
  assert.equal(condition.rttMs, 0);
});

test('uses the given stack and network, also a named network alone', () => {
  const delayed = readSiteRequest('www.example.org', { stack: 'bun-h2', rtt: '30', loss: '1' });
  assert.equal(delayed.options.stacks[0]?.stack, 'bun-h2');
  assert.equal(delayed.condition.rttMs, 30);
  assert.equal(delayed.condition.lossPercent, 1);
  const { condition } = readSiteRequest('www.example.org', { network: 'lte' });
  assert.equal(condition.name, 'lte');
});

test('accepts an existing server as a stack', () => {
  const { options } = readSiteRequest('www.example.org', {
    stack: 'mine-h2=https://localhost:8443',
  });
  const [mine] = options.stacks;
  assert.equal(mine?.protocol, 'h2');
  assert.deepEqual(mine?.own, { url: 'https://localhost:8443' });
});

test('rejects several sites or stacks: one thing at a time', () => {
  assertRefused('www.example.org,www.iana.org', {}, /^Only one site at a time: .* means 2, www/);
  assertRefused('quick', {}, /^Only one site at a time/);
  assertRefused(
    'www.example.org',
    { stack: 'bun-h2,flask-h1' },
    /^--stack bun-h2,flask-h1: only one stack/,
  );
});

test('rejects what a run would reject in the words of this command', () => {
  assertRefused(
    'www.example.org',
    { stack: 'bun-h22' },
    /^Unknown stack bun-h22\. Did you mean bun-h2/,
  );
  assertRefused('www.example.org', { stack: 'own-h3' }, /^--stack own-h3: .*--server PROGRAM/);
  assertRefused('www.example.org', { network: 'nowhere' }, /nowhere/);
  assertRefused('www.example.org', { rtt: '0,30' }, /^--rtt 0,30: one path at a time/);
  assertRefused('www.example.org', { loss: '0,1' }, /^--loss 0,1: one path at a time/);
  for (const [number, value] of [
    ['rtt', '30'],
    ['loss', '1'],
  ] as const) {
    const given = { network: 'lte', [number]: value };
    assertRefused('www.example.org', given, /^--network and --(rtt|loss) do not go together\.$/);
  }
  assertRefused('www.example.org', { stack: 'mine=https://localhost' }, /^--stack mine=https/);
});
