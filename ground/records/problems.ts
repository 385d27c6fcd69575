import { calibrationSchema } from './calibration.ts';
import { armsOfExplanation } from './explanation.ts';
import { FORMAT_VERSION } from './format.ts';
import { invocationSchema } from './invocation.ts';
import { lookSchema } from './look.ts';
import { networkKey } from './network.ts';
import { observationSchema } from './observation.ts';
import { attemptPacketsSchema } from './packets.ts';
import { isOverTcp } from './protocol.ts';
import { type ArmSettings, type PlanRecord, planSchema, type RunRecord, runSchema } from './run.ts';
import type { TSchema } from './schema.ts';
import { type SchemaCheck, schemaCheck, shortJson } from './schema-check.ts';

/** Check of records of this version: by their schema, then for problems that no schema can express. */
function checkOf(schema: TSchema, more: (record: never) => string | null = () => null) {
  const schemaProblem = schemaCheck(schema);
  return (record: unknown) =>
    problemOfVersion(record) ?? schemaProblem(record) ?? more(record as never);
}

/** First problem of run.json; null: valid. */
export const problemOfRun = checkOf(runSchema, problemOfNames);

/** First problem of a frozen plan, which is run.json without facts of a machine; null: valid. */
export const problemOfPlan = checkOf(planSchema, problemOfNames);

/** Check of the lines of an experiment's file, whose details have this schema. */
export function problemOfObservation(details: TSchema): SchemaCheck {
  const check = OBSERVATION_CHECKS.get(details) ?? checkOf(observationSchema(details));
  OBSERVATION_CHECKS.set(details, check);
  return check;
}

/** Compiling a check takes longer than reading many records. */
const OBSERVATION_CHECKS = new WeakMap<TSchema, SchemaCheck>();

/** First problem of a line of invocations.jsonl; null: valid. */
export const problemOfInvocation = checkOf(invocationSchema);

/** First problem of a line of looks.jsonl; null: valid. */
export const problemOfLook = checkOf(lookSchema);

/** First problem of a line of packets.jsonl; null: valid. */
export const problemOfPackets = checkOf(attemptPacketsSchema);

/** First problem of a line of calibrations.jsonl; null: valid. */
export const problemOfCalibration = schemaCheck(calibrationSchema);

/** End of the problem of a record of another version. */
export const WRITTEN_BY_ANOTHER = 'quic-vs-https, which reads it';

/** Called first, as records of other versions have other fields. */
function problemOfVersion(record: unknown, version: number = FORMAT_VERSION): string | null {
  if (typeof record !== 'object' || record === null || Array.isArray(record))
    return 'not an object';
  const { formatVersion } = record as Record<string, unknown>;
  if (formatVersion === version) return null;
  const found = `formatVersion is ${shortJson(formatVersion)}, this version reads ${version}`;
  if (typeof formatVersion !== 'number') return found;
  const age = formatVersion > version ? 'a newer' : 'an older';
  return `${found}: it was written by ${age} ${WRITTEN_BY_ANOTHER}`;
}

function problemOfNames(plan: PlanRecord): string | null {
  const { subjects, arms, networks, trials, analysis } = plan;
  return (
    problemOfRepetition('subjects', 'subject', subjects) ??
    problemOfRepetition('arms', 'arm', arms) ??
    // Calibrations know a network condition by its name.
    problemOfRepetition('networks', 'name', networks) ??
    problemOfRepetition('trials', 'id', trials) ??
    problemOfArmNames(arms, analysis) ??
    problemOfSettings(arms) ??
    problemOfTrials(plan)
  );
}

/** Names of entries must be unique. */
function problemOfRepetition<Key extends string>(
  list: string,
  key: Key,
  entries: readonly Record<Key, string>[],
): string | null {
  const seen = new Set<string>();
  for (const [index, { [key]: name }] of entries.entries()) {
    if (seen.has(name)) return `${list}[${index}].${key} is ${shortJson(name)} once more`;
    seen.add(name);
  }
  return null;
}

/** Arms must have only settings that can apply to their servers. */
function problemOfSettings(arms: RunRecord['arms']): string | null {
  for (const [index, { protocol, stack, own, settings, under = {} }] of arms.entries()) {
    const problem = (field: string, why: string) => `arms[${index}].settings.${field}: ${why}`;
    const { pacesTcp, origins } = settings ?? {};
    const isStarted = stack !== 'live' && own?.url === undefined;
    if (pacesTcp && !isOverTcp(protocol)) return problem('pacesTcp', `${protocol} is not over TCP`);
    for (const [field, value] of Object.entries({ pacesTcp, origins })) {
      if (value && !isStarted) return problem(field, 'the run does not start its server');
      const other = Object.entries(under).find(
        ([, each]) => each[field as keyof ArmSettings] !== value,
      );
      if (other) return problem(field, `${other[0]} has another, and the server is the same`);
    }
  }
  return null;
}

/** Trials must refer to subjects, arms, networks and factors of the plan. */
function problemOfTrials({ subjects, arms, networks, factors, trials }: PlanRecord): string | null {
  const known = {
    subject: new Set(subjects.map(({ subject }) => subject)),
    arm: new Set(arms.map(({ arm }) => arm)),
  };
  const keys = new Set(networks.map(networkKey));
  const expectedNames = Object.keys(factors).sort().join();
  for (const [index, trial] of trials.entries()) {
    const field = `trials[${index}]`;
    for (const field of ['subject', 'arm'] as const) {
      if (known[field].has(trial[field])) continue;
      return `${field}.${field} is ${shortJson(trial[field])}, which ${field}s does not have`;
    }
    if (!keys.has(networkKey(trial.network))) {
      return `${field}.network is ${shortJson(trial.network.name)}, which networks does not have with the same numbers`;
    }
    const values = Object.entries(trial.factors);
    const names = values.map(([name]) => name).sort();
    if (names.join() !== expectedNames) {
      return `${field}.factors has ${names.join(', ') || 'none'}, expected the factors of the run`;
    }
    const wrong = values.find(([name, value]) => !factors[name]?.includes(value));
    if (wrong)
      return `${field}.factors.${wrong[0]} is ${shortJson(wrong[1])}, which factors does not have`;
  }
  return null;
}

/** Referenced arms must exist. */
function problemOfArmNames(
  arms: RunRecord['arms'],
  { baseline, explanations = [] }: RunRecord['analysis'],
): string | null {
  const names = new Set(arms.map(({ arm }) => arm));
  const expected = `expected one of ${[...names].join(', ')}`;
  if (!names.has(baseline)) return `analysis.baseline is ${shortJson(baseline)}, ${expected}`;
  const unknown = explanations.flatMap(armsOfExplanation).find((arm) => !names.has(arm));
  if (unknown !== undefined) return `analysis.explanations has ${shortJson(unknown)}, ${expected}`;
  for (const [index, { comparedWith = null, explains = null, controlOf }] of arms.entries()) {
    for (const [field, other] of Object.entries({ comparedWith, explains, controlOf })) {
      if (other !== null && !names.has(other))
        return `arms[${index}].${field} is ${shortJson(other)}, ${expected}`;
    }
  }
  return null;
}
