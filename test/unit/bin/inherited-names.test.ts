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

/** What every object has without having been given it. */
const INHERITED = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'];

/** Anything but an error for the user is a bug. */
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
  test(`no option of ${experiment.command?.name} takes what objects inherit for a value that it knows`, async () => {
    for (const [name, { argument }] of Object.entries(optionsOfRun(experiment))) {
      // A new folder of that name would be made.
      if (argument === null || ['out', 'freeze', 'junit', 'markdown'].includes(name)) continue;
      for (const value of INHERITED) {
        const words = [`--${name}`, value];
        await assertNoBug(async () => {
          const options = readOptions(words, experiment, presets);
          // What is served is looked up when a run is prepared.
          if (name !== 'sites' && name !== 'videos') return;
          await prepareRun({ ...options, out: '/nowhere/run' }, words, {
            readMachineState: fakeMachineState,
          });
        }, words.join(' '));
      }
    }
  });
}

/** Commands whose operands are names of what is there; those of the others are of the network. */
const OF_NAMES = ['import', 'export', 'sites', 'report', 'merge', 'packets', 'open', 'serve'];

test('no operand of a command is found among what objects inherit', async () => {
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
