import assert from 'node:assert/strict';
import { type Command, startProgram } from '../../../../test/e2e/command.ts';
import { assertNothingLeft } from '../../../../test/e2e/left-behind.ts';

/** A served site, and the output about it. */
export interface ServedByHand {
  command: Command;
  /** The lines below the first title that matches. */
  below(title: RegExp): string[];
}

/**
 * Serves a site by `npm run serve`, passes on its output, and ends it as a user does; nothing of it
 * is left then.
 */
export async function withServedByHand(
  words: readonly string[],
  use: (served: ServedByHand) => Promise<void>,
): Promise<void> {
  const command = startProgram(['serve', ...words]);
  try {
    await command.printed(/^Serving .* until Ctrl-C/m);
    await use({ command, below: (title) => linesBelow(title, command.output()) });
  } finally {
    command.child.kill('SIGINT');
    await command.ended;
  }
  assert.equal(await command.ended, 0, command.output());
  await assertNothingLeft(command);
}

function linesBelow(title: RegExp, output: string): string[] {
  const lines = output.split('\n');
  const at = lines.findIndex((line) => title.test(line));
  assert.ok(at >= 0, `no title ${title} in:\n${output}`);
  const end = lines.indexOf('', at);
  return lines.slice(at + 1, end).map((line) => line.trim());
}
