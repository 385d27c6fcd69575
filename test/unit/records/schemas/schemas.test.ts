import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ConnectionRecord } from '../../../../records/connection.ts';
import type { ComparedProperty, StackPair } from '../../../../records/like-for-like.ts';
import type { EndOfLooks } from '../../../../records/look.ts';
import type { NetworkBackend } from '../../../../records/network.ts';
import {
  type Outcome,
  type Protocol,
  RECORD_FORMAT_VERSION,
  type VisitKind,
} from '../../../../records/page-load.ts';
import {
  problemOfCalibration,
  problemOfLook,
  problemOfPageLoad,
  problemOfRun,
  problemOfSitting,
} from '../../../../records/problems.ts';
import type { AnalysisPlan, RunChoices } from '../../../../records/run.ts';
import {
  COMPLETE_CALIBRATION,
  COMPLETE_LOOK,
  COMPLETE_PAGE_LOAD,
  COMPLETE_RUN,
  COMPLETE_SITTING,
  NULLABLE_IN_CALIBRATION,
  NULLABLE_IN_LOOK,
  NULLABLE_IN_PAGE_LOAD,
  NULLABLE_IN_RUN,
  NULLABLE_IN_SITTING,
} from '../complete-records.ts';
import {
  changedAt,
  placesOfSchema,
  placesOfValue,
  referencesIn,
  type Schema,
} from './schema-walk.ts';

const root = path.join(import.meta.dirname, '..', '..', '..', '..');

function schemaOf(name: string): Schema {
  return JSON.parse(readFileSync(path.join(root, `records/schemas/${name}.schema.json`), 'utf8'));
}

/** The compiler asks for each word of a union and refuses others. */
function words<Word extends string>(all: Record<Word, true>): string[] {
  return Object.keys(all);
}

const PROTOCOLS = words<Protocol>({ h3: true, h2: true, 'http/1.1': true, 'http/1.0': true });
const VISITS = words<VisitKind>({ cold: true, repeat: true, resumed: true, reload: true });
const BACKENDS = words<NetworkBackend>({ netem: true, userspace: true });

function connectionWords(place: string): Record<string, (string | null)[]> {
  return {
    [`${place}.transport`]: words<ConnectionRecord['transport']>({ quic: true, tcp: true }),
    [`${place}.offered`]: words<ConnectionRecord['offered']>({
      ...{ full: true, resumption: true },
      'early-data': true,
    }),
    [`${place}.handshake`]: [
      ...words<NonNullable<ConnectionRecord['handshake']>>({ full: true, resumed: true }),
      null,
    ],
    [`${place}.earlyData`]: words<ConnectionRecord['earlyData']>({
      none: true,
      accepted: true,
      rejected: true,
      unknown: true,
    }),
  };
}

const RECORDS: {
  name: string;
  complete: object;
  nullable: Record<string, true>;
  problemOf: (record: unknown) => string | null;
  words: Record<string, (string | null)[]>;
}[] = [
  {
    name: 'run',
    complete: COMPLETE_RUN,
    nullable: NULLABLE_IN_RUN,
    problemOf: problemOfRun,
    words: {
      'stacks[].protocol': PROTOCOLS,
      'visits[]': VISITS,
      'choices.origins': words<RunChoices['origins']>({ own: true, shared: true }),
      'choices.certificateChain': words<RunChoices['certificateChain']>({
        small: true,
        realistic: true,
      }),
      'choices.thinkTime': words<RunChoices['thinkTime']>({ off: true, recorded: true }),
      'choices.isolation': words<RunChoices['isolation']>({ context: true, process: true }),
      'choices.deterministicPages': words<RunChoices['deterministicPages']>({
        recorded: true,
        all: true,
        none: true,
      }),
      'choices.subResources': words<RunChoices['subResources']>({ served: true, missing: true }),
      'choices.document': words<RunChoices['document']>({ recorded: true, 'as-saved': true }),
      'choices.tlsMost': words<RunChoices['tlsMost']>({ '1.2': true, '1.3': true }),
      'choices.offloads': words<RunChoices['offloads']>({ off: true, on: true }),
      'choices.order': words<RunChoices['order']>({ shuffled: true, sequential: true }),
      'choices.hars': words<RunChoices['hars']>({ all: true, median: true, none: true }),
      'analysis.metric': words<AnalysisPlan['metric']>({ pageLoad: true, documentTime: true }),
      backend: BACKENDS,
      'fairness.pairs[].likeForLike': words<StackPair['likeForLike']>({
        yes: true,
        no: true,
        unknown: true,
      }),
      'fairness.pairs[].properties[].verdict': words<ComparedProperty['verdict']>({
        equal: true,
        differs: true,
        unknown: true,
      }),
      'trials[].visit': VISITS,
    },
  },
  {
    name: 'page-load',
    complete: COMPLETE_PAGE_LOAD,
    nullable: NULLABLE_IN_PAGE_LOAD,
    problemOf: problemOfPageLoad,
    words: {
      protocol: PROTOCOLS,
      'network.backend': BACKENDS,
      visit: VISITS,
      outcome: words<Outcome>({ ok: true, failed: true, invalid: true }),
      ...connectionWords('connections.opened[]'),
    },
  },
  {
    name: 'sitting',
    complete: COMPLETE_SITTING,
    nullable: NULLABLE_IN_SITTING,
    problemOf: problemOfSitting,
    words: { backend: BACKENDS },
  },
  {
    name: 'look',
    complete: COMPLETE_LOOK,
    nullable: NULLABLE_IN_LOOK,
    problemOf: problemOfLook,
    words: {
      'told[].visit': VISITS,
      end: [...words<EndOfLooks>({ told: true, budget: true, repetitions: true }), null],
    },
  },
  {
    name: 'calibration',
    complete: COMPLETE_CALIBRATION,
    nullable: NULLABLE_IN_CALIBRATION,
    problemOf: problemOfCalibration,
    words: { backend: BACKENDS, linkPriority: ['fifo', 'eevdf', 'none', null] },
  },
];

/** Fields that came while the format stayed what it was: a record made before is read without them. */
const LATER_FIELDS = new Set([
  ...['p25', 'p99', 'downPausedPercent', 'upPausedPercent', 'late', 'stopping'],
]);

for (const { name, complete, nullable, problemOf, words: wordsByPlace } of RECORDS) {
  const schema = schemaOf(name);
  const schemaPlaces = placesOfSchema(schema);
  const mapPlaces = new Set(
    schemaPlaces.filter(({ schema }) => schema.additionalProperties).map(({ place }) => place),
  );
  const valuePlaces = placesOfValue(complete, mapPlaces);
  const isMapEntry = (place: string) => place.endsWith('{}');

  test(`the schema of a ${name} is a JSON Schema 2020-12 without oversights`, () => {
    const ajv = new Ajv2020({
      strict: true,
      strictRequired: true,
      allowUnionTypes: true,
      validateFormats: false,
    });
    assert.equal(ajv.validateSchema(schema as object), true, ajv.errorsText());
    ajv.compile(schema as object);
  });

  test(`the schema of a ${name} names the format's version`, () => {
    assert.ok(schema.$id?.endsWith(`${name}:${RECORD_FORMAT_VERSION}`), schema.$id);
    const { formatVersion } = schema.properties ?? {};
    // Lines of calibrations.jsonl have the version of their run.
    if (name !== 'calibration') assert.equal(formatVersion?.const, RECORD_FORMAT_VERSION);
  });

  test(`a complete ${name} is accepted`, () => {
    assert.equal(problemOf(complete), null);
  });

  test(`the schema of a ${name} has the fields of its type and no others`, () => {
    assert.deepEqual(
      [...new Set(schemaPlaces.map(({ place }) => place))].sort(),
      [...new Set(valuePlaces.map(({ place }) => place))].sort(),
    );
  });

  test(`every object in the schema of a ${name} asks for all of its fields but later ones, and takes no others`, () => {
    for (const { place, schema } of schemaPlaces) {
      if (!schema.properties) continue;
      const asked = Object.keys(schema.properties).filter((field) => !LATER_FIELDS.has(field));
      assert.deepEqual(schema.required, asked, place);
      assert.equal(schema.additionalProperties, false, place);
    }
  });

  test(`the schema of a ${name} lets those fields be null that its type does`, () => {
    const readings = schemaPlaces
      .filter(({ schema }) => Object.keys(schema.properties ?? {}).join() === 'value,from')
      .map(({ place }) => `${place}.value`);
    assert.deepEqual(
      schemaPlaces
        .filter(({ schema }) => [schema.type, schema.enum].flat().some(isNull))
        .map(({ place }) => place)
        .sort(),
      [...Object.keys(nullable), ...readings].sort(),
    );
  });

  test(`a ${name} with null in any one of the fields that may be null is accepted`, () => {
    for (const { steps, place } of valuePlaces) {
      if (!(place in nullable)) continue;
      const changed = changedAt(complete, steps, (parent, key) => {
        parent[key] = null;
      });
      assert.equal(problemOf(changed), null, place);
    }
  });

  test(`the schema of a ${name} has the words of its type and no others`, () => {
    const found = schemaPlaces.flatMap(({ place, schema }) =>
      schema.enum ? [[place, schema.enum] as const] : [],
    );
    assert.deepEqual(Object.fromEntries(found), wordsByPlace);
  });

  test(`a ${name} that lacks any of its fields is refused with the field's path, but for later ones`, () => {
    for (const { steps, place } of valuePlaces) {
      const field = steps.at(-1);
      if (typeof field !== 'string' || isMapEntry(place)) continue;
      const changed = changedAt(complete, steps, (parent, key) => {
        delete parent[key];
      });
      if (LATER_FIELDS.has(field)) {
        assert.equal(problemOf(changed), null, place);
        continue;
      }
      const more = place === 'formatVersion' ? `, this version reads ${RECORD_FORMAT_VERSION}` : '';
      assert.equal(problemOf(changed), `${pathOf(steps)} is missing${more}`);
    }
  });

  test(`a ${name} with a value of another type anywhere is refused with the field's path`, () => {
    for (const { steps, value } of valuePlaces) {
      if (steps.length === 0) continue;
      const changed = changedAt(complete, steps, (parent, key) => {
        parent[key] = typeof value === 'object' ? 'wrong' : { wrong: true };
      });
      assert.ok(
        problemOf(changed)?.startsWith(`${pathOf(steps)} is `),
        `${pathOf(steps)}: ${problemOf(changed)}`,
      );
    }
  });

  test(`a ${name} with a field that is not of the format is refused, at any depth`, () => {
    for (const { steps, place, value } of valuePlaces) {
      if (typeof value !== 'object' || Array.isArray(value) || mapPlaces.has(place)) continue;
      const changed = changedAt({ record: complete }, ['record', ...steps], (parent, key) => {
        Object.assign(parent[key] as object, { surplus: 1 });
      }).record;
      assert.equal(
        problemOf(changed),
        `${pathOf([...steps, 'surplus'])} is no field of this format`,
      );
    }
  });

  test(`the schema of a ${name} describes each of its fields`, () => {
    const silent = schemaPlaces.filter(
      ({ place, description }) => !description && !/(\[\]|\{\})$/.test(place),
    );
    assert.deepEqual(
      silent.map(({ place }) => place),
      [],
    );
  });

  test(`results/README.md names every field of a ${name}`, () => {
    const readme = readFileSync(path.join(root, 'results/README.md'), 'utf8');
    const named = new Set(readme.match(/\w+/g));
    const names = schemaPlaces.flatMap(({ schema }) => Object.keys(schema.properties ?? {}));
    assert.deepEqual(
      [...new Set(names)].filter((field) => !named.has(field)),
      [],
    );
  });
}

test('what stands in several schemas is the same in each, and nothing stands there unused', () => {
  const seen = new Map<string, Schema>();
  for (const { name } of RECORDS) {
    const schema = schemaOf(name);
    const definitions = Object.entries(schema.$defs ?? {});
    assert.deepEqual(
      definitions.map(([definition]) => definition).sort(),
      [...new Set(referencesIn(schema))].sort(),
    );
    for (const [definition, content] of definitions) {
      assert.deepEqual(content, seen.get(definition) ?? content, `${definition} in ${name}`);
      seen.set(definition, content);
    }
  }
  // A load's network is the network as asked with two fields more.
  const { backend, measuredRttMs, ...asked } =
    schemaOf('page-load').properties?.network?.properties ?? {};
  assert.ok(backend && measuredRttMs);
  assert.deepEqual(asked, seen.get('askedNetwork')?.properties);
});

function isNull(value: unknown): boolean {
  return value === null || value === 'null';
}

/** As messages write it: `sites[0].url`. */
function pathOf(steps: readonly (string | number)[]): string {
  return steps
    .map((step) => {
      if (typeof step === 'number') return `[${step}]`;
      return /^[\w-]+$/.test(step) ? `.${step}` : `["${step}"]`;
    })
    .join('')
    .replace(/^\./, '');
}
