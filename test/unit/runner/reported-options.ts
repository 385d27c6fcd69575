import assert from 'node:assert/strict';
import { armOf } from '../../../experiments/arms.ts';
import type { Slice } from '../../../experiments/planning.ts';
import { choiceLines, optionsOfRun } from '../../../ground/options/common.ts';
import type { Presets } from '../../../ground/options/preset.ts';
import type { RawOptions } from '../../../ground/options/row.ts';
import type { RunRecord } from '../../../ground/records/run.ts';
import { optionsOf } from '../../../runner/options.ts';
import { fixtureRun } from '../report/fixture-run.ts';

/** A run of these options, with cores and path of a machine. */
export function runOf(given: RawOptions, experiment: Slice, presets: Presets = {}): RunRecord {
  const { run } = fixtureRun();
  const [subject] = run.subjects;
  assert.ok(subject);
  const operands = given.live === undefined ? [] : ['a.test'];
  const { pin, choices, stopping, backend, subjects, live, stacks, ...options } = optionsOf(
    { given, operands },
    experiment,
    presets,
  );
  const pinned = pin ? { browserCores: [0], serverCores: [1], linkCores: [1] } : null;
  const names = live?.map((each) => each.subject) ?? subjects;
  return {
    ...run,
    ...options,
    networks: [...options.networks],
    experiment: experiment.name,
    recordFile: experiment.recordFile,
    factors: Object.fromEntries(
      Object.entries(options.factors).map(([name, values]) => [name, [...values]]),
    ),
    subjects: names.map((name) => ({ ...subject, subject: name })),
    arms: stacks.map((stack) => armOf(stack, { ...experiment, client: options.client })),
    choices: { ...choices, pinned },
    ...(stopping && { stopping }),
    backend: backend === 'userspace' ? 'userspace' : 'netem',
  };
}

/** Options of an experiment, each with a value that differs from the default. */
interface OptionValues {
  /** A command line with which each further option is valid. */
  base: RawOptions;
  further: Readonly<Record<string, string>>;
  /** Prerequisites of options. */
  needed?: Readonly<Record<string, RawOptions>>;
  presets?: Presets;
}

/** The report states the value of every option that decides the plan, and of no other. */
export function assertOptionsReported(
  experiment: Slice,
  { base, further, needed = {}, presets }: OptionValues,
): void {
  const rows = optionsOfRun(experiment);
  for (const [name, other] of Object.entries(further)) {
    const given = { ...base, ...needed[name] };
    // Over the machine's own network everything differs.
    const { live: _, ...cached } = given;
    const plainly = name === 'live' ? cached : given;
    const plain = choiceLines(runOf(plainly, experiment, presets), experiment);
    const changed = choiceLines(
      runOf({ ...given, [name]: other }, experiment, presets),
      experiment,
    );
    if (rows[name]?.decides === 'invocation') assert.deepEqual(changed, plain, `--${name}`);
    else assert.notDeepEqual(changed, plain, `--${name}`);
  }
}
