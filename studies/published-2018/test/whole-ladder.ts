import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { PlanRecord } from '../../../ground/records/run.ts';
import { seriesFolder } from '../../../report/series.ts';
import type { Command } from '../../../test/e2e/command.ts';
import { assertNothingLeft } from '../../../test/e2e/left-behind.ts';
import { LADDER, LADDER_NAME } from '../ladder/steps.ts';

/** The ladder at its smallest: a page of one document, loaded once by each stack. */
export const SMALLEST = [
  '--preset',
  LADDER_NAME,
  '--sites',
  'www.example.org',
  '--repetitions',
  '1',
];

/** The plans of a ladder, in the order of its steps. */
export function plansOf(folder: string): PlanRecord[] {
  return LADDER.map((step) => JSON.parse(readFileSync(seriesFolder(folder).plan(step), 'utf8')));
}

/** A digest of every file below a folder, by its path from there. */
export function digestsIn(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return Object.fromEntries(
    names
      .filter((name) => statSync(path.join(folder, name)).isFile())
      .map((name) => {
        const content = readFileSync(path.join(folder, name));
        return [name, createHash('sha256').update(content).digest('hex')];
      }),
  );
}

/** Ctrl-C when a ladder has printed this: neither processes nor half a file are left. */
export async function interruptAt(
  command: Command,
  printed: RegExp,
  folder: string,
): Promise<void> {
  await command.printed(printed);
  command.child.kill('SIGINT');
  assert.equal(await command.ended, 130, command.output());
  await assertNothingLeft(command);
  const names = Object.keys(digestsIn(folder)).map((name) => path.basename(name));
  assert.deepEqual(
    names.filter((name) => /^\.|\.unfinished$/.test(name)),
    [],
  );
}
