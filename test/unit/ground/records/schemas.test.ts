import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { allExperiments } from '../../../../experiments/index.ts';
import { pageLoad } from '../../../../experiments/page-load/experiment.ts';
import { calibrationSchema } from '../../../../ground/records/calibration.ts';
import { FORMAT, FORMAT_VERSION } from '../../../../ground/records/format.ts';
import { invocationSchema } from '../../../../ground/records/invocation.ts';
import { lookSchema } from '../../../../ground/records/look.ts';
import { observationSchema } from '../../../../ground/records/observation.ts';
import {
  problemOfCalibration,
  problemOfInvocation,
  problemOfLook,
  problemOfObservation,
  problemOfRun,
} from '../../../../ground/records/problems.ts';
import { runSchema } from '../../../../ground/records/run.ts';
import type { TSchema } from '../../../../ground/records/schema.ts';
import type { SchemaCheck } from '../../../../ground/records/schema-check.ts';
import { DELAYED, fixtureRun } from '../../report/fixture-run.ts';

const { run, observations, calibrations, invocations } = fixtureRun({
  networks: [{ ...DELAYED, burstLoss: { enterPercent: 0.5, leavePercent: 30 } }],
});

const RECORDS: Record<string, { schema: TSchema; example: unknown; problemOf: SchemaCheck }> = {
  run: { schema: runSchema, example: run, problemOf: problemOfRun },
  'page load': {
    schema: observationSchema(pageLoad.details),
    example: observations.at(-1),
    problemOf: problemOfObservation(pageLoad.details),
  },
  invocation: {
    schema: invocationSchema,
    example: invocations[0],
    problemOf: problemOfInvocation,
  },
  calibration: {
    schema: calibrationSchema,
    example: calibrations[0],
    problemOf: problemOfCalibration,
  },
  look: {
    schema: lookSchema,
    example: {
      ...FORMAT,
      invocation: '2026-11-20T10-00-00-bench-1',
      at: '2026-11-20T10:02:00.000Z',
      order: 48,
      elapsedMs: 90_123.5,
      fraction: 0.375,
      decided: [{ network: 'lossy', variant: 'repeat' }],
      end: 'decided',
    },
    problemOf: problemOfLook,
  },
};

/** The part of JSON Schema that is used here. */
interface WalkedSchema {
  description?: string;
  properties?: Record<string, WalkedSchema>;
  required?: string[];
  items?: WalkedSchema;
  additionalProperties?: WalkedSchema;
}

/** Every field of a value that its schema names, with its path. */
function* fieldsIn(
  schema: WalkedSchema,
  value: unknown,
  fieldPath: FieldPath = [],
): Generator<Field> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    const name = Array.isArray(value) ? Number(key) : key;
    const below = Array.isArray(value)
      ? schema.items
      : (schema.properties?.[key] ?? schema.additionalProperties);
    if (!below) continue;
    const isRequired = schema.required?.includes(key) ?? false;
    yield { fieldPath: [...fieldPath, name], value: inner, isRequired };
    yield* fieldsIn(below, inner, [...fieldPath, name]);
  }
}

type FieldPath = readonly (string | number)[];

interface Field {
  fieldPath: FieldPath;
  value: unknown;
  isRequired: boolean;
}

/** As messages write it: `subjects[0].url`. */
function pathOf(fieldPath: FieldPath): string {
  return fieldPath
    .map((step) => {
      if (typeof step === 'number') return `[${step}]`;
      return /^[\w-]+$/.test(step) ? `.${step}` : `["${step}"]`;
    })
    .join('')
    .replace(/^\./, '');
}

/** A copy of a record with one field changed; undefined takes it away. */
function changedAt(record: unknown, fieldPath: FieldPath, to: unknown): unknown {
  // Not structuredClone(), which keeps parts that are one object in two places.
  const copy = JSON.parse(JSON.stringify(record));
  const parent = fieldPath.slice(0, -1).reduce((at, key) => at[key], copy);
  const last = fieldPath.at(-1) ?? '';
  if (to === undefined) delete parent[last];
  else parent[last] = to;
  return copy;
}

for (const [name, { schema, example, problemOf }] of Object.entries(RECORDS)) {
  const fields = [...fieldsIn(schema as WalkedSchema, example)];

  test(`has valid JSON Schema 2020-12 for a ${name}`, () => {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, validateFormats: false });
    assert.equal(ajv.validateSchema(schema), true, ajv.errorsText());
    ajv.compile(schema);
  });

  test(`accepts a ${name} as written, also with fields of a later version`, () => {
    assert.equal(problemOf(example), null);
    assert.equal(problemOf({ ...(example as object), later: 1 }), null);
  });

  test(`rejects a ${name} without one of its fields, with the field's path`, () => {
    const required = fields.filter(({ isRequired }) => isRequired);
    assert.ok(required.length > 5);
    for (const { fieldPath } of required) {
      const more = fieldPath[0] === 'formatVersion' ? `, this version reads ${FORMAT_VERSION}` : '';
      const problem = problemOf(changedAt(example, fieldPath, undefined));
      assert.equal(problem, `${pathOf(fieldPath)} is missing${more}`);
    }
  });

  test(`rejects a ${name} with a value of another type, with the field's path`, () => {
    for (const { fieldPath, value } of fields) {
      const wrong = Array.isArray(value) ? 'wrong' : [];
      const problem = problemOf(changedAt(example, fieldPath, wrong)) ?? 'accepted';
      assert.ok(problem.startsWith(`${pathOf(fieldPath)} is `), `${pathOf(fieldPath)}: ${problem}`);
    }
  });

  test(`describes each field of a ${name}`, () => {
    const silent = (at: WalkedSchema, fieldPath: string): string[] => [
      ...Object.entries(at.properties ?? {}).flatMap(([field, below]) => [
        ...(below.description ? [] : [`${fieldPath}.${field}`]),
        ...silent(below, `${fieldPath}.${field}`),
      ]),
      ...(at.items ? silent(at.items, `${fieldPath}[]`) : []),
      ...(at.additionalProperties ? silent(at.additionalProperties, `${fieldPath}{}`) : []),
    ];
    assert.deepEqual(silent(schema as WalkedSchema, name), []);
  });
}

test('rejects a record of another format with the program that reads it', () => {
  for (const [formatVersion, age] of [
    [3, 'an older'],
    [4, 'an older'],
    [7, 'a newer'],
  ] as const) {
    assert.equal(
      problemOfRun({ ...run, formatVersion }),
      `formatVersion is ${formatVersion}, this version reads 6: it was written by ${age} quic-vs-https, which reads it`,
    );
  }
});

test('rejects a commit that is no hash', () => {
  for (const commit of ['1a2b3c4', 'A'.repeat(40), `${'a'.repeat(40)}\n`, '<b>']) {
    const problem = problemOfRun({ ...run, revision: { commit, dirty: false } });
    assert.match(problem ?? '', /^revision\.commit is /);
  }
});

test('has a separate file for the records of every experiment', () => {
  const files = allExperiments().map(({ recordFile }) => recordFile);
  assert.equal(new Set(files).size, files.length);
});
