import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunRecord } from '../../../../ground/records/run.ts';
import { withBrowsersNamed } from '../../../../report/summary/measured-run.ts';

function labelsOf(...names: [arm: string, label: string, client: string][]): string[] {
  const arms = names.map(([arm, label, client]) => ({ arm, label, client }));
  return withBrowsersNamed({ arms } as Pick<RunRecord, 'arms'>).arms.map(({ label }) => label);
}

test('labels name the usual browser too where a run has several', () => {
  const usual: [string, string, string] = ['bun-h2', 'Bun (h2)', 'chromium'];
  assert.deepEqual(labelsOf(usual), ['Bun (h2)']);
  assert.deepEqual(labelsOf(usual, ['bun-h2~firefox', 'Bun (h2) in Firefox', 'firefox']), [
    'Bun (h2) in Chromium',
    'Bun (h2) in Firefox',
  ]);
});
