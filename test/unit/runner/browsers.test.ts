import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { allExperiments } from '../../../experiments/index.ts';
import { assertBrowsers, browserPrograms } from '../../../runner/browsers.ts';
import { readOptions } from '../../../runner/options.ts';
import { versions } from '../../../runner/versions.ts';
import { temporaryFolder, withTemporaryFolder } from '../../temporary-folder.ts';
import { assertEach } from '../assert-each.ts';
import { planned, preparedOf } from './campaign/prepared-plan.ts';

const TWO = ['--browser', 'chromium,beta@/opt/beta/chrome'];

const read = (...words: string[]) => readOptions([...TWO, ...words]);

const pairsOf = (...words: string[]) =>
  read(...words).stacks.map(({ stack, comparedWith }) => [stack, comparedWith]);

test('compares the stacks of each browser within it, and its baseline with that of the first', () => {
  const { stacks, analysis } = read();
  assert.equal(analysis.baseline, 'bun-h2');
  assertEach(stacks, ({ stack, label, browser }) => [stack, label, browser], [
    ['lsquic-h3', 'lsquic (h3)', undefined],
    ['bun-h2', 'Bun (h2)', undefined],
    ['flask-h1', 'Flask (http/1.1)', undefined],
    ['lsquic-h3~beta', 'lsquic (h3) in beta', 'beta'],
    ['bun-h2~beta', 'Bun (h2) in beta', 'beta'],
    ['flask-h1~beta', 'Flask (http/1.1) in beta', 'beta'],
  ]);
  assert.deepEqual(pairsOf().slice(3), [
    ['lsquic-h3~beta', 'bun-h2~beta'],
    ['bun-h2~beta', undefined],
    ['flask-h1~beta', 'bun-h2~beta'],
  ]);
});

test('compares each stack with itself in the browser of a chosen baseline', () => {
  const two = ['--stacks', 'lsquic-h3,bun-h2', '--baseline'];
  assert.deepEqual(pairsOf(...two, 'lsquic-h3'), [
    ['lsquic-h3', undefined],
    ['bun-h2', undefined],
    ['lsquic-h3~beta', undefined],
    ['bun-h2~beta', 'bun-h2'],
  ]);
  assert.deepEqual(pairsOf(...two, 'bun-h2~beta'), [
    ['lsquic-h3', 'lsquic-h3~beta'],
    ['bun-h2', undefined],
    ['lsquic-h3~beta', undefined],
    ['bun-h2~beta', undefined],
  ]);
});

test('changes the version or the browser of a counterpart, not both', () => {
  const stacks = 'quic-go-h3@0.50.1,quic-go-h3';
  assert.deepEqual(pairsOf('--stacks', stacks, '--baseline', 'quic-go-h3'), [
    ['quic-go-h3@0.50.1', undefined],
    ['quic-go-h3', undefined],
    ['quic-go-h3@0.50.1~beta', 'quic-go-h3@0.50.1'],
    ['quic-go-h3~beta', undefined],
  ]);
});

test('measures in another browser alone, with control and matched settings', () => {
  const alone = readOptions(['--browser', 'beta@/opt/beta/chrome', '--control', '--cc', 'bbr']);
  assertEach(alone.stacks, ({ stack }) => stack, [
    'lsquic-h3~beta',
    'bun-h2~beta',
    'bun-h2-control~beta',
    'flask-h1~beta',
  ]);
  assert.equal(alone.analysis.baseline, 'bun-h2~beta');
});

test('leaves the arms of the usual browser as they are', () => {
  const usual = readOptions(['--browser', 'chromium']).stacks;
  assert.deepEqual(usual, readOptions([]).stacks);
});

test('rejects names of browsers that mean nothing, or something else', () => {
  for (const [given, expected] of [
    ['beta@', /"beta@": expected chromium, firefox or NAME@PATH/],
    ['@/x', /expected chromium, firefox or NAME@PATH/],
    ['Beta@/x', /small letters/],
    ['b_a@/x', /small letters/],
    ['9@/x', /begins with a letter/],
    ['abcdefghijklmnopqrstu@/x', /at most 20/],
    ['a@/x,a@/y', /two browsers have the name a\./],
    ['firefox,firefox', /two browsers have the name firefox/],
    ['safari', /--browser safari: expected chromium, firefox, or NAME@PATH/],
    ['firefox-beta', /--browser firefox-beta: expected chromium, firefox, or NAME@PATH/],
    ['chromium@/x', /CHROMIUM_PATH.*another name, such as chromium-2@\/x/],
    ['firefox@/x', /FIREFOX_PATH.*another name, such as firefox-2@\/x/],
    ['bun-h2@/x', /bun-h2 is a stack/],
  ] as const) {
    assert.throws(() => readOptions(['--browser', given]), {
      name: 'UsageError',
      message: expected,
    });
  }
  assert.throws(() => readOptions(['--stacks', 'bun-h2~beta']), /Unknown stack bun-h2~beta/);
});

test('takes the binaries of a plan from --browser alone', (t) => {
  const program = fileIn(temporaryFolder(t), 'echo');
  const stacks = [{ browser: 'beta' }, {}];
  const programsOf = (name: string | null, from: string | null = '--plan a.json') =>
    browserPrograms(name === null ? null : [{ name, program }], stacks, from);
  assert.deepEqual(programsOf('beta'), { beta: program });
  assert.throws(() => programsOf(null), /--plan a.json loads pages in beta.*--browser beta@PATH/);
  assert.throws(() => programsOf('other'), /no such browser. Its own browsers: beta/);
});

test('compares the stacks of Firefox within it, and takes its binary from set-up', () =>
  withTemporaryFolder(async (folder) => {
    const words = ['--browser', 'chromium,firefox', '--repetitions', '2', '--rtt', '0'];
    const plan = await planned([...words, '--stacks', 'lsquic-h3,bun-h2']);
    assert.deepEqual(
      plan.arms.map(({ arm, client, comparedWith }) => [arm, client, comparedWith]),
      [
        ['lsquic-h3', 'chromium', undefined],
        ['bun-h2', 'chromium', undefined],
        ['lsquic-h3~firefox', 'firefox', 'bun-h2~firefox'],
        ['bun-h2~firefox', 'firefox', undefined],
      ],
    );
    const { record } = await preparedOf(folder, plan);
    assert.deepEqual(record.arms, plan.arms);
    const browsers = [{ browser: 'firefox' }, { browser: 'firefox-beta' }, {}];
    const given = [
      { name: 'firefox', program: null },
      { name: 'firefox-beta', program: '/opt/beta/firefox' },
    ];
    assert.deepEqual(browserPrograms(given, browsers, null), {
      'firefox-beta': '/opt/beta/firefox',
    });
    assert.throws(
      () => browserPrograms(null, browsers, '--plan a.json'),
      /loads pages in firefox-beta.*--browser firefox-beta@PATH/,
    );
  }));

test('refuses in options and in plans what Firefox does not support', () =>
  withTemporaryFolder(async (folder) => {
    const words = ['--browser', 'firefox', '--repetitions', '2', '--rtt', '0'];
    for (const [option, refused] of [
      [['--film'], /--browser: unsupported in Firefox: --film \(/],
      [['--cpu', '1,4'], /--cpu above 1 \(/],
      [['--mobile'], /a device other than --desktop \(/],
      [['--net-log'], /--net-log \(/],
      [['--event', 'rebind@500ms'], /--event \(/],
      [['--quic-version', '1,2', '--stacks', 'lsquic-h3,bun-h2'], /--quic-version 2 \(/],
      [['--stacks', 'my-h2=https://a.test:8443,bun-h2'], /https:\/\/a.test:8443 \(/],
    ] as const) {
      const message = refused;
      assert.throws(() => readOptions([...words, ...option]), { name: 'UsageError', message });
    }
    readOptions([...words, '--desktop', '--cpu', '1', '--stacks', 'my-h2=https://a.test,bun-h2']);
    for (const experiment of allExperiments().filter((each) => each.notInFirefox)) {
      const refused = new RegExp(`${experiment.name} \\(${experiment.notInFirefox}\\)`);
      assert.throws(() => readOptions(['--browser', 'firefox'], experiment), refused);
    }
    const plan = await planned(words);
    const filmed = { ...plan, choices: { ...plan.choices, filmedLoads: 2 } };
    await assert.rejects(
      preparedOf(folder, filmed),
      /--plan .*: unsupported in Firefox: --film \(Chromium/,
    );
  }));

test('measures in Firefox alone', () => {
  const { stacks, analysis } = readOptions(['--browser', 'firefox']);
  assert.deepEqual([...new Set(stacks.map(({ browser }) => browser))], ['firefox']);
  assert.equal(analysis.baseline, 'bun-h2~firefox');
});

test('rejects a plan whose arms contradict their browsers', () =>
  withTemporaryFolder(async (folder) => {
    const plan = await planned([...TWO, '--repetitions', '2', '--rtt', '0']);
    assert.deepEqual(plan.arms.map(({ arm, stack, client }) => [arm, stack, client]).slice(2, 4), [
      ['flask-h1', 'flask-h1', 'chromium'],
      ['lsquic-h3~beta', 'lsquic-h3', 'beta'],
    ]);
    const { record } = await preparedOf(folder, plan, TWO);
    assert.deepEqual(record.arms, plan.arms);
    await assert.rejects(preparedOf(folder, plan), /loads pages in beta.*--browser beta@PATH/);
    const other = structuredClone(plan);
    for (const arm of other.arms) arm.client = 'chromium';
    await assert.rejects(
      preparedOf(folder, other, TWO),
      /arms\[3\]\.client is "chromium", expected beta/,
    );
    const usual = JSON.parse(JSON.stringify(plan).replaceAll('~beta', '~chromium'));
    await assert.rejects(
      preparedOf(folder, usual, TWO),
      /arms\[3\]\.arm is "lsquic-h3~chromium", expected it without the usual browser/,
    );
  }));

/** A program that runs this command of the shell. */
function fileIn(folder: string, command: string): string {
  const file = path.join(folder, 'program');
  writeFileSync(file, `#!/bin/sh\n${command}\n`);
  // Programs run without rights.
  chmodSync(folder, 0o755);
  chmodSync(file, 0o755);
  return file;
}

test('rejects a binary that does not exist, or is another browser than its name says', async (t) => {
  const folder = temporaryFolder(t);
  const none = path.join(folder, 'none');
  assert.throws(() => assertBrowsers({ a: none }), /Expected the binary of a Chromium or Chrome\./);
  assert.throws(() => assertBrowsers({ firefox: none }), /Expected the binary of a Firefox\./);
  assert.throws(() => assertBrowsers({ a: folder }), /it is no file/);
  const versionOf = async (says: string, name: string) => {
    const browsers = { [name]: fileIn(folder, `echo ${says}`) };
    return (await versions({ chromium: '', browsers }, 'none', []))[name];
  };
  assert.equal(await versionOf('Google Chrome 157.0.1.2 beta', 'a'), '157.0.1.2');
  assert.equal(await versionOf('Mozilla Firefox 153.8.0esr', 'firefox'), '153.8.0esr');
  assert.equal(await versionOf('Mozilla Firefox 160.0a1', 'firefox-nightly'), '160.0a1');
  const rejects = (says: string, name: string, message: RegExp) =>
    assert.rejects(versionOf(says, name), { name: 'UsageError', message });
  for (const says of ['', '$(exit 1)', 'Mozilla Firefox 153.7esr', '1.2.3.4.5']) {
    await rejects(says, 'a', /expected the binary of a Chromium or Chrome/);
  }
  for (const says of ['', 'Chromium 157.0.1.2', 'Mozilla Firefox 137.0.2', 'Firefox']) {
    await rejects(says, 'firefox', /--browser firefox: expected .* Firefox 138.0, or newer/);
  }
  await rejects('Chromium 1.2.3.4', 'firefox-beta', /--browser firefox-beta@.*: expected/);
  await rejects('Chromium 1.2.3.4', 'node', /node is another program/);
});
