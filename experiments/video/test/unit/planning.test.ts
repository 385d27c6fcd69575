import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SiteManifest } from '../../../../cache/manifest.ts';
import type { Representation } from '../../../../cache/presentation.ts';
import type { PlannedSubject } from '../../../../ground/records/run.ts';
import { readOptions } from '../../../../runner/options.ts';
import { video } from '../../experiment.ts';
import { assertRepresentations } from '../../planning.ts';

test('rejects an event after the end of watching, and a bitrate below all representations', () => {
  const late = () => readOptions(['--duration', '6', '--event', 'cut@6000ms/1000ms'], video);
  assert.throws(late, /--event cut@6000ms with --duration 6/);
  const representation = { kind: 'video', kbps: 150 } as Representation;
  const subject = {
    planned: { subject: 'pattern' } as PlannedSubject,
    manifest: { video: { representations: [representation] } } as SiteManifest,
  };
  assert.throws(
    () => assertRepresentations(subject, 100),
    /pattern has no bitrate that low\. It has 150/,
  );
  assertRepresentations(subject, 150);
  assertRepresentations(subject, null);
});
