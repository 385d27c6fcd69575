import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SiteManifest } from '../../../../cache/manifest.ts';
import type { Rung } from '../../../../cache/presentation.ts';
import { readOptions } from '../../../../runner/options.ts';
import { video } from '../../experiment.ts';
import { assertRungs } from '../../planning.ts';

test('an event after the end of watching is refused, and a rate below all rungs', () => {
  const late = () => readOptions(['--duration', '6', '--event', 'cut@6000ms/1000ms'], video);
  assert.throws(late, /--event cut@6000ms with --duration 6: by then watching is over/);
  const rung = { kind: 'video', kbps: 150 } as Rung;
  const videos = [
    { planned: { subject: 'pattern' }, manifest: { video: { rungs: [rung] } } as SiteManifest },
  ];
  const choices = { watchedMs: 6000, bufferMs: null, adapts: false, bitrateKbps: 100 };
  assert.throws(() => assertRungs(choices, videos), /pattern has no rung that low\. It has 150/);
  assertRungs({ ...choices, bitrateKbps: 150 }, videos);
  assertRungs({ ...choices, bitrateKbps: null }, videos);
});
