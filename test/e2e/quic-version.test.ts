import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { fieldsIn } from './recorded-packets.ts';
import { TESTED_STACKS } from './tested-stacks.ts';
import { withRun } from './with-run.ts';

/** By the ending of the arm: the version, and its field in hexadecimal. */
const VERSIONS = { '': ['1', '00000001'], '-v2': ['2', '6b3343cf'] } as const;

for (const { stack } of TESTED_STACKS.filter((each) => each.speaksQuicV2)) {
  test(`loads a page from ${stack} by each version of QUIC, and by no other one on the wire`, () =>
    withRun(
      `benchmark --sites www.example.org --stacks ${stack},bun-h2 --quic-version 1,2 --packets all --rtt 0 --repetitions 1 --seed 1`,
      ({ out, observations }) => {
        for (const [ending, [version, field]] of Object.entries(VERSIONS)) {
          const loads = observations.filter(({ arm }) => arm === `${stack}${ending}`);
          assert.ok(loads.length > 1, 'a warm-up and a load');
          for (const { id, outcome, files, connections } of loads) {
            assert.equal(outcome, 'ok', id);
            const payloads = fieldsIn(path.join(out, files.packets ?? ''), 'udp', 'udp.payload');
            const longHeaders = payloads
              .map(([bytes = '']) => bytes.replaceAll(':', ''))
              .filter((bytes) => Number.parseInt(bytes.slice(0, 2), 16) >= 0x80);
            const found = new Set(longHeaders.map((bytes) => bytes.slice(2, 10)));
            assert.deepEqual([...found], [field], id);
            const observed = connections?.opened.map(({ quicVersion }) => quicVersion);
            assert.deepEqual([...new Set(observed)], [version], id);
          }
        }
      },
    ));
}
