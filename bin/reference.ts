import { allExperiments } from '../experiments/index.ts';
import type { Codes, Experiment, Metric } from '../ground/experiment.ts';
import { calibrationSchema } from '../ground/records/calibration.ts';
import { CODES } from '../ground/records/codes.ts';
import { isFailureOfStack } from '../ground/records/counted-loads.ts';
import { FORMAT_MINOR, FORMAT_VERSION } from '../ground/records/format.ts';
import { invocationSchema } from '../ground/records/invocation.ts';
import { lookSchema } from '../ground/records/look.ts';
import { observationSchema } from '../ground/records/observation.ts';
import { attemptPacketsSchema } from '../ground/records/packets.ts';
import { probeSchema } from '../ground/records/probe.ts';
import { runSchema } from '../ground/records/run.ts';
import * as s from '../ground/records/schema.ts';
import { SOCKET_EVENT_MEANINGS } from '../ground/records/socket-event-meanings.ts';
import { tcpSampleSchema } from '../ground/records/tcp-sample.ts';
import { wrapText } from '../kit/text/terminal.ts';
import { summarySchema } from '../report/summary/schema.ts';

/** The part of JSON Schema that records use. */
export interface FieldSchema {
  description?: string;
  type?: string | readonly string[];
  const?: unknown;
  enum?: readonly unknown[];
  format?: string;
  pattern?: string;
  properties?: Readonly<Record<string, FieldSchema>>;
  required?: readonly string[];
  additionalProperties?: FieldSchema | boolean;
  items?: FieldSchema;
}

interface Field {
  path: string;
  type: string;
  description: string;
}

const LINE_CHARACTERS = 100;

/** Shapes with fewer fields are repeated instead of referenced. */
const FEWEST_TO_REFER_TO = 3;

/** Contents of results/reference.md, derived from the schemas of the records. */
export function reference(): string {
  return [
    '# Fields of a run',
    'Written by `npm run docs` from the schemas in `ground/records/`, `experiments/` and `report/`; [README.md](README.md) says how the files belong together.',
    `The records have format ${FORMAT_VERSION}.${FORMAT_MINOR}. \`list[]\` is every entry of a list, \`map.*\` every value of an object whose keys are data. Numbers are unrounded; \`null\` means that there is no such number, never zero. An *optional* field may be missing.`,
    section('run.json', fieldSchema(runSchema)),
    section('Attempts: page-loads.jsonl, connections.jsonl ...', attemptSchema()),
    codesSection(),
    ...allExperiments().map(experimentSection),
    socketEventsSection(),
    section('invocations.jsonl', fieldSchema(invocationSchema)),
    section('looks.jsonl', fieldSchema(lookSchema)),
    section('calibrations.jsonl', fieldSchema(calibrationSchema)),
    section('tcp-info/*.jsonl.gz', fieldSchema(tcpSampleSchema)),
    section('packets.jsonl', fieldSchema(attemptPacketsSchema)),
    section('probes.jsonl', fieldSchema(probeSchema)),
    section('summary.json', fieldSchema(summarySchema)),
    '',
  ]
    .join('\n\n')
    .replaceAll(/^[^|#].*$/gm, (paragraph) => wrapText(paragraph, LINE_CHARACTERS));
}

function fieldSchema(schema: s.TSchema): FieldSchema {
  return schema as FieldSchema;
}

/** Fields of attempts in all experiments. */
function attemptSchema(): FieldSchema {
  const schema = fieldSchema(observationSchema(s.text('')));
  const details = {
    type: ['object', 'null'],
    description: 'What only this experiment has, below; null: never begun.',
  };
  return { ...schema, properties: { ...schema.properties, details } };
}

/** Codes of unsuccessful attempts of several experiments. */
function codesSection(): string {
  return [
    '## Codes of attempts',
    'Further codes stand with the experiments. ● counts as a failure of the arm: its server or page failed.',
    ...codeTables(CODES),
  ].join('\n\n');
}

/** A table for each outcome. */
function codeTables(codes: Codes): string[] {
  return Object.entries(codes).map(([outcome, own]) =>
    table(
      [code(outcome), 'is'],
      Object.entries(own).map(([name, meaning]) => [
        `${isFailureOfStack(name) ? '● ' : ''}${code(name)}`,
        meaning,
      ]),
    ),
  );
}

/** Events at both ends of socket exchanges. */
function socketEventsSection(): string {
  const rows = Object.entries(SOCKET_EVENT_MEANINGS).map(
    ([name, { client, server, isSameInAll }]) => [
      code(name),
      client || '–',
      server || '–',
      isSameInAll ? 'yes' : 'no',
    ],
  );
  return [
    '## Events of sockets.jsonl',
    table(['event', 'client', 'server', 'same in all protocols'], rows),
  ].join('\n\n');
}

function experimentSection({ name, recordFile, details, metrics, codes = {} }: Experiment): string {
  return [
    `## ${recordFile}, of the experiment ${name}`,
    table(['metric', 'unit', 'better', 'is'], metrics.map(metricRow)),
    table(['field of `details`', 'type', 'is'], fieldRows(fieldSchema(details))),
    ...codeTables(codes),
  ].join('\n\n');
}

function metricRow({ name, unit, better, definition, source }: Metric): string[] {
  return [code(name), unit, better ?? 'neither', `${definition} Source: ${source}.`];
}

function section(title: string, schema: FieldSchema): string {
  const { description = '' } = schema;
  return [`## ${title}`, description, table(['field', 'type', 'is'], fieldRows(schema))].join(
    '\n\n',
  );
}

function fieldRows(schema: FieldSchema): string[][] {
  return fieldsOf(schema).map(({ path, type, description }) => [code(path), type, description]);
}

/** All fields of a schema; fields of nested objects follow their parent. */
export function fieldsOf(schema: FieldSchema): Field[] {
  const pathOfShape = new Map<string, string>();

  function fieldsBelow(schema: FieldSchema, prefix: string): Field[] {
    const { properties = {}, required = [] } = schema;
    return Object.entries(properties).flatMap(([name, value]) => {
      return fieldAt(value, `${prefix}${name}`, required.includes(name));
    });
  }

  function fieldAt(schema: FieldSchema, path: string, isRequired: boolean): Field[] {
    const { schema: inner, suffix } = innermost(schema);
    const fields = isReading(inner) ? {} : (inner.properties ?? {});
    const shape = JSON.stringify(fields);
    const earlier = pathOfShape.get(shape);
    const refers = earlier !== undefined && Object.keys(fields).length >= FEWEST_TO_REFER_TO;
    if (!refers) pathOfShape.set(shape, `${path}${suffix}`);
    const described = [schema.description, refers && `Fields as in ${code(earlier)}.`];
    const own: Field = {
      path,
      type: [typeText(schema), unitOf(path), isRequired ? '' : 'optional']
        .filter((part) => part !== '')
        .join(', '),
      description: described.filter(Boolean).join(' '),
    };
    if (refers || isReading(inner)) return [own];
    return [own, ...fieldsBelow(inner, `${path}${suffix}.`)];
  }

  /** The innermost element of nested lists or maps, and the suffix of its path. */
  function innermost(schema: FieldSchema): { schema: FieldSchema; suffix: string } {
    const { items, additionalProperties } = schema;
    const next = items ?? (typeof additionalProperties === 'object' ? additionalProperties : null);
    if (!next) return { schema, suffix: '' };
    const { schema: inner, suffix } = innermost(next);
    return { schema: inner, suffix: `${items ? '[]' : '.*'}${suffix}` };
  }

  function typeText(schema: FieldSchema): string {
    const { type, items, additionalProperties, properties } = schema;
    const { const: constant, enum: words } = schema;
    const types = type === undefined ? [] : [type].flat();
    const orNull = types.includes('null') || words?.includes(null) ? ' or null' : '';
    if (constant !== undefined) return code(String(constant));
    if (words)
      return `${words
        .filter((word) => word !== null)
        .map((word) => code(String(word)))
        .join(', ')}${orNull}`;
    if (items) return `list of ${typeText(items)}${orNull}`;
    if (isReading(schema)) return `reading of ${typeText(properties?.value ?? {})}`;
    if (typeof additionalProperties === 'object')
      return `map to ${typeText(additionalProperties)}${orNull}`;
    return `${types
      .filter((each) => each !== 'null')
      .map((each) => plainType(each, schema))
      .join(' or ')}${orNull}`;
  }

  return fieldsBelow(schema, '');
}

/** Whether an object is a value with its source. */
function isReading({ properties = {} }: FieldSchema): boolean {
  return Object.keys(properties).join() === 'value,from';
}

function plainType(type: string, { format, pattern }: FieldSchema): string {
  if (format === 'date-time') return 'moment';
  if (pattern?.includes('{64}')) return 'SHA-256';
  return type === 'string' ? 'text' : type;
}

const UNITS: Readonly<Record<string, string>> = {
  Ms: 'ms',
  S: 's',
  Bytes: 'bytes',
  Mb: 'MB',
  Kbps: 'kbit/s',
  Percent: '%',
};

/** The unit in a field's name or its parents' names; empty: none. */
function unitOf(path: string): string {
  const names = path.split('.').toReversed();
  for (const name of names) {
    const [, ending = ''] = /[a-z](Ms|S|Bytes|Mb|Kbps|Percent)(?:\[\])*$/.exec(name) ?? [];
    if (ending) return UNITS[ending] ?? '';
  }
  return '';
}

const code = (text: string) => `\`${text}\``;

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(heads), `|${heads.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}
