import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { PlanRecord } from '../../../ground/records/run.ts';
import { seriesFolder } from '../../../report/series.ts';
import { isSetUp, setUpCommand } from '../../../runner/machine.ts';
import { STACKS } from '../../../servers/index.ts';
import type { Command } from '../../../test/e2e/command.ts';
import { assertNothingLeft } from '../../../test/e2e/left-behind.ts';
import { PARTS, type Part, SERIES } from '../parts.ts';

/** The project's own measurement at its smallest: a page of one document, loaded once by each stack under each condition. */
export const SMALLEST = ['--preset', SERIES, '--sites', 'www.example.org', '--repetitions', '1'];

const missing = STACKS.filter(
  (stack) => !isSetUp(stack) && PARTS.some(({ options }) => options.stacks?.includes(stack.stack)),
).map(({ stack }) => stack);

/** Why it cannot be measured here; false: it can. */
export const seriesSkip = missing.length > 0 && `not set up: ${setUpCommand(missing)}`;

/** The plans of a series, in the order of the parts. */
export function plansOf(folder: string): PlanRecord[] {
  return PARTS.map((part) => JSON.parse(readFileSync(seriesFolder(folder).plan(part), 'utf8')));
}

/** Names of the files with contents about these parts. */
export function filesOf(parts: readonly Part[]): string[] {
  return parts.map(({ name }) => `${name}.json`).sort();
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

/** Ctrl-C when a series has printed this: neither processes nor half a file are left. */
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
