import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KNOWN_NAMES } from '../../../bin/known-names.ts';
import { allExperiments } from '../../../experiments/index.ts';
import { stackNamed } from '../../../experiments/stacks.ts';
import { optionsOfRun } from '../../../ground/options/common.ts';
import { type Presets, presetNamed } from '../../../ground/options/preset.ts';
import { UsageError } from '../../../ground/system/exit-status.ts';
import { optionsOf } from '../../../runner/options.ts';
import { STUDIES } from '../../../studies/index.ts';

const PRESETS: Presets = Object.assign({}, ...STUDIES.map(({ presets }) => presets));

const MEASURING = allExperiments().filter(({ command }) => command !== null);

test('rejects a preset of a missing experiment with its name', () => {
  const presets: Presets = { strange: { of: 'not-there', about: null, options: {} } };
  for (const experiment of MEASURING) {
    assert.throws(() => presetNamed('strange', presets, experiment, allExperiments()), {
      name: 'UsageError',
      message:
        '--preset strange: this preset belongs to the experiment not-there, which this version does not have.',
    });
  }
});

test("no two studies share a preset's name", () => {
  const names = STUDIES.flatMap(({ presets }) => Object.keys(presets));
  assert.deepEqual(names, Object.keys(PRESETS));
});

for (const [name, { of, options }] of Object.entries(PRESETS)) {
  const own = MEASURING.find((each) => each.name === of);
  const skip = !own && `there is no experiment ${of}`;
  test(`the preset ${name} has options of one experiment, and belongs to its command alone`, {
    skip,
  }, () => {
    assert.ok(own);
    const known = Object.keys(optionsOfRun(own));
    assert.deepEqual(
      Object.keys(options ?? {}).filter((option) => !known.includes(option)),
      [],
    );
    const { stacks = '' } = (options ?? {}) as { stacks?: string | readonly string[] };
    const absent = `${stacks}`.split(',').find((stack) => stack !== '' && !stackNamed(stack));
    const read = () => optionsOf({ given: { preset: name } }, own, PRESETS).preset;
    if (absent) assert.throws(read, new RegExp(`Unknown stack ${absent}\\.`));
    else if (options) assert.equal(read(), name);
    for (const other of MEASURING.filter((each) => each !== own)) {
      assert.throws(
        () => presetNamed(name, PRESETS, other, allExperiments()),
        (error) =>
          error instanceof UsageError &&
          error.message.includes(`npm run ${own.command?.name} -- --preset ${name}.`),
        other.name,
      );
    }
  });
}

test('the help of a command has only its own presets', () => {
  const listed = Object.entries(PRESETS).filter(([, { about }]) => about !== null);
  for (const experiment of MEASURING) {
    const { help } = optionsOfRun(experiment).preset ?? assert.fail(experiment.name);
    const text = typeof help === 'string' ? help : help(KNOWN_NAMES);
    for (const [name, { of }] of listed) {
      const isNamed = new RegExp(`(^|; )${name}: `).test(text);
      assert.equal(isNamed, of === experiment.name, `${experiment.name}: ${name}`);
    }
  }
});
