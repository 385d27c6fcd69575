import { RECORD_FORMAT_VERSION } from './page-load.ts';
import type { PlanRecord, RunRecord } from './run.ts';
import calibrationSchema from './schemas/calibration.schema.json' with { type: 'json' };
import lookSchema from './schemas/look.schema.json' with { type: 'json' };
import pageLoadSchema from './schemas/page-load.schema.json' with { type: 'json' };
import runSchema from './schemas/run.schema.json' with { type: 'json' };
import { schemaCheck, shown } from './schemas/schema-check.ts';
import sittingSchema from './schemas/sitting.schema.json' with { type: 'json' };

const schemaProblemOfRun = schemaCheck(runSchema);
const schemaProblemOfPlan = schemaCheck(planSchema());
const schemaProblemOfPageLoad = schemaCheck(pageLoadSchema);
const schemaProblemOfSitting = schemaCheck(sittingSchema);
const schemaProblemOfLook = schemaCheck(lookSchema);

/** The first thing wrong with run.json, or null: by its schema, and by what a schema cannot say. */
export function problemOfRun(run: unknown): string | null {
  const problem = problemOfVersion(run) ?? schemaProblemOfRun(run);
  return problem ?? problemOfNames(run as RunRecord);
}

function problemOfNames({ sites, stacks, networks, trials, analysis }: PlanRecord): string | null {
  return (
    problemOfRepetition('sites', 'site', sites) ??
    problemOfRepetition('stacks', 'stack', stacks) ??
    // Calibrations know a network condition by its name.
    problemOfRepetition('networks', 'name', networks) ??
    problemOfRepetition('trials', 'id', trials) ??
    problemOfStackNames(stacks, analysis)
  );
}

/** The first thing wrong with a frozen plan, which is run.json without what is found on a machine; or null. */
export function problemOfPlan(plan: unknown): string | null {
  const problem = problemOfVersion(plan) ?? schemaProblemOfPlan(plan);
  return problem ?? problemOfNames(plan as PlanRecord);
}

/** The first thing wrong with one line of page-loads.jsonl, or null. */
export function problemOfPageLoad(load: unknown): string | null {
  return problemOfVersion(load) ?? schemaProblemOfPageLoad(load);
}

/** The first thing wrong with one line of sittings.jsonl, or null. */
export function problemOfSitting(sitting: unknown): string | null {
  return problemOfVersion(sitting) ?? schemaProblemOfSitting(sitting);
}

/** The first thing wrong with one line of looks.jsonl, or null. */
export function problemOfLook(look: unknown): string | null {
  return problemOfVersion(look) ?? schemaProblemOfLook(look);
}

/** The first thing wrong with one line of calibrations.jsonl, or null. */
export const problemOfCalibration = schemaCheck(calibrationSchema);

/** Asked before anything else: what another version's record lacks says nothing. */
export function problemOfVersion(
  record: unknown,
  version: number = RECORD_FORMAT_VERSION,
): string | null {
  if (typeof record !== 'object' || record === null || Array.isArray(record))
    return 'not an object';
  const { formatVersion } = record as Record<string, unknown>;
  if (formatVersion === version) return null;
  return `formatVersion is ${shown(formatVersion)}, this version reads ${version}`;
}

/** Of entries that are known by a name, each must have its own. */
function problemOfRepetition<Key extends string>(
  list: string,
  key: Key,
  entries: readonly Record<Key, string>[],
): string | null {
  const seen = new Set<string>();
  for (const [index, { [key]: name }] of entries.entries()) {
    if (seen.has(name)) return `${list}[${index}].${key} is ${shown(name)} once more`;
    seen.add(name);
  }
  return null;
}

/** A stack that others refer to must be there. */
function problemOfStackNames(
  stacks: RunRecord['stacks'],
  { baseline }: RunRecord['analysis'],
): string | null {
  const names = new Set(stacks.map(({ stack }) => stack));
  const expected = `expected one of ${[...names].join(', ')}`;
  if (!names.has(baseline)) return `analysis.baseline is ${shown(baseline)}, ${expected}`;
  const index = stacks.findIndex(({ controlOf }) => controlOf !== null && !names.has(controlOf));
  if (index < 0) return null;
  return `stacks[${index}].controlOf is ${shown(stacks[index]?.controlOf)}, ${expected}`;
}

/** The schema of run.json without the fields that a machine adds. */
function planSchema() {
  const {
    backend: _,
    fairness: __,
    versions: ___,
    host: ____,
    ...properties
  } = runSchema.properties;
  const required = runSchema.required.filter((name) => name in properties);
  return { ...runSchema, $id: `${runSchema.$id}:plan`, properties, required };
}
