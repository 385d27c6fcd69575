import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { withFindingsFiles } from '../../../../report/findings/files.ts';
import { withTemporaryFolder } from '../../../temporary-folder.ts';
import { findingsFor } from './findings-for.ts';
import { casesOf, readJunit } from './junit-file.ts';

const FINDINGS = findingsFor('lsquic-h3 slower than bun-h2 by 5%', 1.2);

/** Files in a folder that is removed afterwards, and an initially empty step summary. */
async function withFiles(
  context: TestContext,
  use: (files: { junit: string; markdown: string; step: string }) => Promise<void>,
): Promise<void> {
  const before = process.env.GITHUB_STEP_SUMMARY;
  context.after(() => {
    if (before === undefined) delete process.env.GITHUB_STEP_SUMMARY;
    else process.env.GITHUB_STEP_SUMMARY = before;
  });
  await withTemporaryFolder(async (folder) => {
    const step = path.join(folder, 'step.md');
    process.env.GITHUB_STEP_SUMMARY = step;
    await use({ junit: path.join(folder, 'j.xml'), markdown: path.join(folder, 'm.md'), step });
  });
}

const textOf = (file: string) => readFileSync(file, 'utf8');
const casesIn = (file: string) => casesOf(readJunit(textOf(file)));

test('writes initial files that report no end yet, and the findings at the end', (context) =>
  withFiles(context, async ({ junit, markdown, step }) => {
    writeFileSync(junit, 'of an earlier command');
    const status = await withFindingsFiles({ junit, markdown }, async (report) => {
      assert.deepEqual(casesIn(junit), ['ended: error not finished']);
      assert.match(textOf(markdown), /Not finished.*has not ended, or was killed/);
      report(FINDINGS);
      assert.ok(!existsSync(step));
      return 7;
    });
    assert.equal(status, 7);
    assert.equal(casesIn(junit).filter((each) => each.endsWith('failure met')).length, 2);
    assert.match(textOf(markdown), /\*\*Failed\*\*/);
    assert.equal(textOf(step), textOf(markdown));
  }));

test('writes a thrown error into the files, next to earlier findings', (context) =>
  withFiles(context, async ({ junit, markdown, step }) => {
    const failing = withFindingsFiles({ junit, markdown }, async (report) => {
      report(FINDINGS);
      throw new Error('The server went away.');
    });
    await assert.rejects(failing, /^Error: The server went away\.$/);
    assert.equal(casesIn(junit).at(-1), 'ended: error not finished');
    for (const file of [markdown, step]) {
      assert.match(textOf(file), /\*\*Not finished\.\*\* The server went away\.\n(?:.|\n)*\n### /);
    }
  }));

test("appends to a step summary once, within GitHub's limit", (context) =>
  withFiles(context, async ({ step }) => {
    const none = { junit: null, markdown: null };
    const reportFindings = (files: Parameters<typeof withFindingsFiles>[0]) =>
      withFindingsFiles(files, async (report) => {
        report(FINDINGS);
        return 0;
      });
    writeFileSync(step, '# Before\n');
    await reportFindings(none);
    assert.match(textOf(step), /^# Before\n## quic-vs-https: run /);
    await reportFindings({ junit: null, markdown: step });
    assert.equal(textOf(step).match(/^## quic-vs-https/gm)?.length, 1);
    const full = 'x'.repeat(1024 * 1024 - 500);
    writeFileSync(step, full);
    await reportFindings(none);
    assert.ok(textOf(step).length > full.length);
    assert.ok(Buffer.byteLength(textOf(step)) <= 1024 * 1024);
  }));

test('reports a step summary that cannot be written, without other effects', (context) =>
  withFiles(context, async ({ step }) => {
    mkdirSync(step);
    const errors = context.mock.method(console, 'error', () => {});
    const status = await withFindingsFiles({ junit: null, markdown: null }, async (report) => {
      report(FINDINGS);
      return 7;
    });
    assert.equal(status, 7);
    assert.match(
      String(errors.mock.calls[0]?.arguments[0]),
      /GITHUB_STEP_SUMMARY.*cannot be written/,
    );
  }));

test('reports a file that cannot be written at the end, and keeps the remaining files and the exit status', (context) =>
  withFiles(context, async ({ junit, markdown, step }) => {
    const errors = context.mock.method(console, 'error', () => {});
    for (const [own, expected] of [
      [7, 7],
      [8, 8],
      [0, 2],
    ] as const) {
      rmSync(junit, { recursive: true, force: true });
      const status = await withFindingsFiles({ junit, markdown }, async (report) => {
        report(FINDINGS);
        rmSync(junit);
        mkdirSync(junit);
        return own;
      });
      assert.equal(status, expected);
      assert.match(String(errors.mock.calls.at(-1)?.arguments[0]), /--junit .* cannot be written/);
      assert.match(textOf(markdown), /\*\*Failed\*\*/);
      assert.match(textOf(step), /\*\*Failed\*\*/);
      rmSync(step);
    }
  }));

test('rejects a file that cannot be written before anything is done', (context) =>
  withFiles(context, async ({ junit }) => {
    const folder = path.dirname(junit);
    const nowhere = path.join(folder, 'nowhere', 'j.xml');
    for (const [files, reason] of [
      [
        { junit: folder, markdown: null },
        /--junit \S+: the file cannot be written: illegal operation/,
      ],
      [{ junit: nowhere, markdown: null }, /--junit \S+: the file cannot be written: no such file/],
      [
        { junit: null, markdown: nowhere },
        /--markdown \S+: the file cannot be written: no such file/,
      ],
      [{ junit, markdown: path.join(folder, '.', 'j.xml') }, /both name .*Name two files/],
    ] as const) {
      const refused = withFindingsFiles(files, () => assert.fail('it was begun'));
      await assert.rejects(refused, { name: 'UsageError', message: reason });
    }
  }));
