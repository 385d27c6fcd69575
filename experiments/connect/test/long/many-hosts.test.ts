import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hosts } from '../../../../test/internet/hosts.ts';
import { withInternet } from '../../../../test/internet/internet.ts';
import { withConnections } from '../e2e/live-connections.ts';

const HOSTS = 1000;
const NAMES_PER_ADDRESS = 20;

test('has rows of all 1,000 hosts, of which one in twenty is dead, and compares the living ones', async () => {
  const names = Array.from({ length: HOSTS }, (_, index) => `h${index}.test`);
  const hosts = Object.fromEntries(
    names.map((name, index) => {
      if (index % 20 === 7) return [name, 'dead'];
      const first = index - (index % NAMES_PER_ADDRESS);
      return [name, index === first ? 'web' : { kind: 'web', sharesWith: `h${first}.test` }];
    }),
  ) as Hosts;
  const words = [...names, '--repetitions', '1', '--timeout', '1'];
  await withInternet({ hosts }, (internet) =>
    withConnections(internet, words, async ({ status, output, attempts }) => {
      assert.equal(status, 6, output.slice(-2000));
      assert.equal(attempts.length, 2 * HOSTS);
      const dead = new Set(names.filter((_, index) => index % 20 === 7));
      for (const { id, subject, outcome } of attempts) {
        assert.equal(outcome, dead.has(subject) ? 'failed' : 'ok', id);
      }
    }),
  );
});
