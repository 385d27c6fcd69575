import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SiteManifest } from '../../../../cache/manifest.ts';
import { DESKTOP, type Device, PHONE } from '../../../../ground/records/device.ts';
import type { UnpinnedChoices } from '../../../../ground/records/run.ts';
import { readOptions } from '../../../../runner/options.ts';
import { planNotices } from '../../../../runner/plan-notice.ts';
import { fixtureRun } from '../../../../test/unit/report/fixture-run.ts';
import type { SiteToLoad } from '../../../subjects.ts';
import { withDevice } from '../../device.ts';

function site(subject: string, about: Partial<SiteManifest> = {}): SiteToLoad {
  return {
    manifest: { kind: 'recorded', ...about } as SiteManifest,
    planned: { subject },
  } as SiteToLoad;
}

/** The device of a run with these options, and the warnings about its sites. */
function planned(words: string, ...sites: SiteToLoad[]) {
  const { choices } = readOptions(words.split(' ').filter(Boolean));
  const { choices: frozen, subjects } = withDevice({ choices, subjects: sites });
  const warnings = subjects.flatMap(({ planned: { warning } }) => warning ?? []);
  assert.deepEqual({ ...frozen, device: null }, { ...choices, device: null });
  return { device: frozen.device, warnings };
}

const SHOP = site('shop-mobile', { device: PHONE });
const SMALL: Device = { ...PHONE, widthPx: 360, heightPx: 800 };

test('pages are loaded on the device that recorded them, by default a desktop', () => {
  assert.deepEqual(planned('', site('a.test')), { device: undefined, warnings: [] });
  assert.deepEqual(planned('', SHOP), { device: PHONE, warnings: [] });
  const small = site('b.test', { device: SMALL });
  assert.deepEqual(planned('', small, small), { device: SMALL, warnings: [] });
});

test('generated pages, pages of packages and live pages go with any device', () => {
  const generated = site('g.test', { kind: 'generated' });
  const shipped = site('p', { kind: 'package' });
  const live = { ...site('l.test'), manifest: null };
  assert.equal(planned('', generated, SHOP, shipped).device, PHONE);
  assert.deepEqual(planned('--mobile', generated, shipped, live), { device: PHONE, warnings: [] });
});

test('rejects sites that different devices recorded, unless the user chooses one', () => {
  const sites = [SHOP, ...['a', 'b', 'c', 'd'].map((name) => site(`${name}.test`))];
  assert.throws(
    () => planned('', ...sites),
    /UsageError: .*: shop-mobile on a phone of 412x915 CSS pixels; a\.test, b\.test, c\.test and 1 more on a desktop of 1366x768 CSS pixels\. .* --mobile or --desktop\.$/,
  );
  assert.equal(planned('--mobile', ...sites).device, PHONE);
  assert.equal(planned('--desktop', ...sites).device, undefined);
});

test('warns of sites that another device recorded, after what is known about them', () => {
  const empty = { ...SHOP, planned: { ...SHOP.planned, warning: 'it is empty.' } };
  assert.deepEqual(planned('--desktop', SHOP, empty).warnings, [
    'it was recorded on a phone of 412x915 CSS pixels, and is loaded as on a desktop of 1366x768 CSS pixels. Its requests may differ, and those without a recorded response get 404.',
    'it is empty. Also, it was recorded on a phone of 412x915 CSS pixels, and is loaded as on a desktop of 1366x768 CSS pixels. Its requests may differ, and those without a recorded response get 404.',
  ]);
  const [unknown = ''] = planned('--mobile', SHOP, site('a.test', { kind: 'imported' })).warnings;
  assert.match(unknown, /on a desktop of 1366x768 CSS pixels, or on an unknown device, and is/);
});

test('--desktop is what a run without options has', () => {
  const chosen = readOptions(['--desktop']).choices;
  assert.equal(chosen.device, DESKTOP);
  assert.equal(
    'device' in withDevice({ choices: chosen as UnpinnedChoices, subjects: [] }).choices,
    false,
  );
  assert.throws(() => readOptions(['--mobile', '--desktop']), /--mobile and --desktop do not go/);
});

test('a run on a phone says so before its first load', () => {
  const { run } = fixtureRun({ repetitions: 6 });
  const noticesOf = (device?: Device) =>
    planNotices({ ...run, choices: { ...run.choices, ...(device && { device }) } });
  assert.deepEqual(noticesOf(), []);
  assert.deepEqual(noticesOf(PHONE), ['Pages are loaded on a phone of 412x915 CSS pixels.']);
});
