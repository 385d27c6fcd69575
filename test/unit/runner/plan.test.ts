import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeSite } from '../../../cache/manifest.ts';
import { siteOfRecording } from '../../../cache/site-of-recording.ts';
import { siteToLoad } from '../../../experiments/subjects.ts';
import type { HostsByProtocol } from '../../../ground/records/hosts-by-protocol.ts';
import type { PlanRecord } from '../../../ground/records/run.ts';
import { UsageError } from '../../../ground/system/errors.ts';
import { assertKnown, resolvePlan } from '../../../runner/plan.ts';
import { withTemporaryFolder } from '../../temporary-folder.ts';
import { exampleExchange, exampleRecording } from '../cache/example-recording.ts';

test('rejects sites that the cache lacks, each with the nearest name', () => {
  const known = new Set(['www.example.org', 'www.wikipedia.org']);
  assertKnown(['www.example.org'], known);
  assert.throws(
    () => assertKnown(['www.exmaple.org', 'www.example.org', 'nowhere.test', 'publishd'], known),
    (error) => {
      assert.ok(error instanceof UsageError);
      assert.match(
        error.message,
        /^Unknown site www\.exmaple\.org\. Did you mean www\.example\.org\?/,
      );
      assert.match(
        error.message,
        /Unknown site nowhere\.test\. Unknown site publishd\. Did you mean published\? `npm run sites` lists/,
      );
      return true;
    },
  );
});

test('rejects a URL in place of a site with the nearest site', () => {
  assert.throws(
    () => assertKnown(['https://www.example.org/a?b'], new Set(['www.example.org'])),
    /^UsageError: Unknown site https:\/\/www\.example\.org\/a\?b\. Did you mean www\.example\.org\?/,
  );
});

test('plans a site that answers less than half of its recording with a warning', () =>
  withTemporaryFolder(async (folder) => {
    for (const [nLost, expected] of [
      [1, undefined],
      [2, /^the site is nearly empty: .* 3 requests, .* only 1 of them/],
    ] as const) {
      const lost = Array.from({ length: nLost }, (_, place) =>
        exampleExchange(`https://www.a.test/${place}`, { status: 0 }),
      );
      const { manifest, bodies } = siteOfRecording(exampleRecording(lost), { file: 'x' });
      await writeSite(folder, { ...manifest, site: 'a.test' }, bodies);
      const { warning } = (await siteToLoad('a.test', folder)).planned;
      if (expected === undefined) assert.equal(warning, undefined);
      else assert.match(warning ?? '', expected);
    }
  }));

test('a frozen plan keeps its hosts by protocol, and is refused with hosts that the site does not have', async () => {
  const { planned } = await siteToLoad('www.example.org');
  const resolve = (hostsByProtocol: HostsByProtocol) =>
    resolvePlan({
      experiment: 'page-load',
      subjects: [{ ...planned, hostsByProtocol }],
      arms: [],
      networks: [],
      trials: [],
      choices: {},
    } as unknown as PlanRecord);
  const fine = { h3: ['www.example.org'], h2: [] };
  const { subjects } = await resolve(fine);
  assert.deepEqual(subjects[0]?.planned.hostsByProtocol, fine);
  for (const wrong of [
    { h3: ['www.example.org'], h2: ['b.test'] },
    { h3: ['www.example.org'], h2: ['www.example.org'] },
    { h3: [], h2: ['b.test'] },
  ]) {
    await assert.rejects(
      resolve(wrong),
      /^UsageError: The plan has the hosts .* for www\.example\.org, expected www\.example\.org, each once/,
    );
  }
});
