import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { program } from '../../../bin/program.ts';
import { allExperiments } from '../../../experiments/index.ts';
import { optionsOfRun } from '../../../ground/options/common.ts';
import { EXIT, ExitError } from '../../../ground/system/exit-status.ts';
import { pathProblem } from '../../../ground/system/file-error.ts';
import { prepareRun } from '../../../runner/campaign/prepare.ts';
import { readOptions } from '../../../runner/options.ts';
import { STUDIES } from '../../../studies/index.ts';
import { loadTools } from '../../../tools/index.ts';
import { fakeMachineState } from '../runner/fake-test-bed.ts';

/** Members that every object inherits. */
const INHERITED = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'];

/** Anything but a user error is a bug. */
async function assertNoBug(act: () => Promise<unknown>, about: string): Promise<void> {
  try {
    await act();
  } catch (error) {
    const isForUser = error instanceof ExitError || pathProblem(error) !== null;
    assert.ok(isForUser, `${about}: ${(error as Error).stack}`);
  }
}

const presets = Object.assign({}, ...STUDIES.map((study) => study.presets));

for (const experiment of allExperiments().filter(({ command }) => command !== null)) {
  test(`no option of ${experiment.command?.name} takes an inherited member for a known value`, async () => {
    for (const [name, { argument }] of Object.entries(optionsOfRun(experiment))) {
      // A new folder of that name would be made.
      if (argument === null || ['out', 'freeze', 'junit', 'markdown'].includes(name)) continue;
      for (const value of INHERITED) {
        const words = [`--${name}`, value];
        await assertNoBug(async () => {
          const options = readOptions(words, experiment, presets);
          // Sites are looked up when a run is prepared.
          if (name !== 'sites' && name !== 'videos') return;
          await prepareRun({ ...options, out: '/nowhere/run' }, words, {
            readMachineState: fakeMachineState,
          });
        }, words.join(' '));
      }
    }
  });
}

/** Commands whose operands name existing things; the operands of the rest belong to the network. */
const OF_NAMES = ['import', 'export', 'sites', 'report', 'merge', 'packets', 'open', 'serve'];

test('no operand of a command matches an inherited member', async () => {
  const tools = await loadTools();
  for (const command of OF_NAMES) assert.ok(Object.hasOwn(tools, command), command);
  const silent = [mock.method(console, 'log', () => {}), mock.method(console, 'error', () => {})];
  try {
    for (const command of OF_NAMES) {
      for (const value of INHERITED) {
        const status = await program([command, value]);
        assert.ok(status !== EXIT.bug && status !== EXIT.ok, `${command} ${value}: ${status}`);
      }
    }
  } finally {
    for (const each of silent) each.mock.restore();
  }
});
