import { DamagedRunError } from '../../../ground/records/damaged-run.ts';
import { problemOfVersion } from '../../../ground/records/problems.ts';
import {
  constant,
  list,
  moment,
  name,
  number,
  object,
  type Static,
  text,
} from '../../../ground/records/schema.ts';
import { schemaCheck } from '../../../ground/records/schema-check.ts';
import { writeWhole } from '../../../ground/records/whole-file.ts';
import { readPlainText } from '../../../ground/system/plain-file.ts';
import { ladderFolder } from './names.ts';

/** The version of ladder.json that this code writes; README.md of the study describes it. 2: the steps are called so; they were rungs. */
const LADDER_FORMAT_VERSION = 2;

/** Word that is the last part of a path and of a preset's name. */
const fileName = (description: string) => ({
  ...text(description),
  pattern: '^[a-z0-9][a-z0-9.-]*$',
});

const roundTripsSchema = object(
  { quic: number('By QUIC.'), https: number('Over TCP.') },
  'Round trips that the document needs: set-up of the connection, where it is measured, and the request.',
);

export type RoundTrips = Static<typeof roundTripsSchema>;

export const stepFields = {
  name: fileName("Also the step's preset, after ladder/."),
  title: name('For headings.'),
  change: name('What was changed, as sentences.'),
  documentRoundTrips: roundTripsSchema,
  folder: fileName("Of its run, below the ladder's folder."),
};

const stepSchema = object(
  stepFields,
  'An ablation step: a run that differs from that of the step before in one thing.',
);

export type LadderStep = Static<typeof stepSchema>;

/** Names and folders are unique, which a schema cannot say. */
export const ladderSchema = object(
  {
    formatVersion: constant(LADDER_FORMAT_VERSION, 'The version of this format.'),
    startedAt: moment('When the ladder began.'),
    command: list(text('A word.'), 'The options as given by the user.'),
    steps: { ...list(stepSchema, 'In their order.'), minItems: 1 },
  },
  'Which runs make a ladder, in their order. Written before the first of them.',
);

/** What ladder.json holds. */
export type LadderRecord = Static<typeof ladderSchema>;

/** The record of a ladder, with a folder of its own for each step. */
export function ladderRecord(
  { startedAt, command }: Pick<LadderRecord, 'startedAt' | 'command'>,
  steps: readonly Omit<LadderStep, 'folder'>[],
): LadderRecord {
  return {
    formatVersion: LADDER_FORMAT_VERSION,
    startedAt,
    command: [...command],
    steps: steps.map(({ name, title, change, documentRoundTrips }, index) => ({
      name,
      title,
      change,
      documentRoundTrips,
      folder: `${String(index).padStart(2, '0')}-${name}`,
    })),
  };
}

/** Writes ladder.json, whole or not at all. */
export async function writeLadderRecord(folder: string, record: LadderRecord): Promise<void> {
  await writeWhole(ladderFolder(folder).ladder, `${JSON.stringify(record, null, 2)}\n`);
}

/**
 * Reads and checks ladder.json of a ladder's folder.
 * @throws DamagedRunError when the file is missing, is not JSON or breaks the format.
 */
export async function readLadderRecord(folder: string): Promise<LadderRecord> {
  const file = ladderFolder(folder).ladder;
  const remedy = 'Restore the file from a copy, or make the ladder again.';
  const json = await readPlainText(file).catch((error: NodeJS.ErrnoException) => {
    throw new DamagedRunError(
      error.code === 'ENOENT' || error.code === 'ENOTDIR'
        ? `${file} is missing. Expected the folder of a ladder, as \`npm run benchmark -- --preset ladder\` makes it.`
        : `${file} cannot be read: ${error.message}`,
    );
  });
  let record: unknown;
  try {
    record = renewed(JSON.parse(json));
  } catch {
    throw new DamagedRunError(`${file} is not valid JSON. ${remedy}`);
  }
  const problem = problemOfLadder(record);
  if (problem) throw new DamagedRunError(`${file}: ${problem}. ${remedy}`);
  return record as LadderRecord;
}

/** A record of version 1 as one of version 2; any other as it is. */
function renewed(record: unknown): unknown {
  const { formatVersion, rungs, ...others } = Object(record);
  return formatVersion === 1
    ? { ...others, formatVersion: LADDER_FORMAT_VERSION, steps: rungs }
    : record;
}

const schemaProblemOfLadder = schemaCheck(ladderSchema);

/** The first thing wrong with ladder.json, or null: by its schema, and by what a schema cannot say. */
export function problemOfLadder(record: unknown): string | null {
  const problem = problemOfVersion(record, LADDER_FORMAT_VERSION) ?? schemaProblemOfLadder(record);
  if (problem) return problem;
  const { steps } = record as LadderRecord;
  for (const field of ['name', 'folder'] as const) {
    const seen = new Set<string>();
    for (const [index, step] of steps.entries()) {
      if (seen.has(step[field])) return `steps[${index}].${field} is ${step[field]} once more`;
      seen.add(step[field]);
    }
  }
  return null;
}
