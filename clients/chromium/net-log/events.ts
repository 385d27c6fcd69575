/** One NetLog event with names instead of numbers. */
export interface NetLogEvent {
  /** Kernel's monotonic clock, in whole ms. */
  timeMs: number;
  /** Such as `SSL_CONNECT`. */
  name: string;
  phase: 'begin' | 'end' | 'none';
  /** Such as `SOCKET` or `QUIC_SESSION`; ids are unique within a file. */
  source: { type: string; id: number };
  params: Record<string, unknown>;
}

/** Tables of parameter values, by their names in the NetLog. */
type ParameterTable = 'netError' | 'quicError' | 'certStatusFlag';

/** Parses a NetLog file, one line at a time. */
export interface EventReader {
  /** The line's event; null: no event, truncated or damaged. */
  read(line: string): NetLogEvent | null;
  /** Whether the table of names has been read, which all events need. */
  readonly started: boolean;
  /** Whether the list of events is complete; it is not after a kill. */
  readonly ended: boolean;
  /** Number of unreadable lines in the list. */
  readonly damagedLines: number;
  /** Names of values and flags in event parameters. */
  names(table: ParameterTable): ReadonlyMap<number, string>;
}

/**
 * A NetLog is one JSON document: a line of constants (names of this Chromium's numbers), then one event a line. It is read by
 * lines, because it may be long or truncated.
 */
export function createEventReader(): EventReader {
  let names: Names | null = null;
  let ended = false;
  let damagedLines = 0;
  return {
    get started() {
      return names !== null;
    },
    get ended() {
      return ended;
    },
    get damagedLines() {
      return damagedLines;
    },
    names: (table) => names?.parameters[table] ?? new Map(),
    read(line) {
      if (ended) return null;
      let text = line.trim().replace(/,$/, '');
      if (names === null) {
        names = readConstants(text);
        return null;
      }
      // The end of the list follows the last event; what comes after it is not about events.
      if (text.endsWith(']')) {
        ended = true;
        text = text.slice(0, -1);
      }
      if (text === '' || text === '"events": [') return null;
      const event = readEvent(text, names);
      if (event === null) damagedLines++;
      return event;
    },
  };
}

interface Names {
  events: Map<number, string>;
  sources: Map<number, string>;
  phases: Map<number, NetLogEvent['phase']>;
  parameters: Record<ParameterTable, Map<number, string>>;
}

const PHASES = { PHASE_BEGIN: 'begin', PHASE_END: 'end', PHASE_NONE: 'none' } as const;

function readConstants(text: string): Names | null {
  if (!text.startsWith('{"constants":')) return null;
  const constants = fieldsOf(fieldsOf(parse(`${text}}`)).constants);
  const phases = fieldsOf(constants.logEventPhase);
  return {
    events: namesByNumber(constants.logEventTypes),
    sources: namesByNumber(constants.logSourceType),
    phases: new Map(
      Object.entries(PHASES).map(([name, phase]) => [phases[name] as number, phase] as const),
    ),
    parameters: {
      netError: namesByNumber(constants.netError),
      quicError: namesByNumber(constants.quicError),
      certStatusFlag: namesByNumber(constants.certStatusFlag),
    },
  };
}

function readEvent(text: string, names: Names): NetLogEvent | null {
  const event = fieldsOf(parse(text));
  const source = fieldsOf(event.source);
  const timeMs = Number(event.time ?? Number.NaN);
  if (typeof source.id !== 'number' || Number.isNaN(timeMs)) return null;
  return {
    timeMs,
    name: names.events.get(event.type as number) ?? `unknown event ${event.type}`,
    phase: names.phases.get(event.phase as number) ?? 'none',
    source: {
      type: names.sources.get(source.type as number) ?? `unknown source ${source.type}`,
      id: source.id,
    },
    params: fieldsOf(event.params),
  };
}

function namesByNumber(value: unknown): Map<number, string> {
  return new Map(Object.entries(fieldsOf(value)).map(([name, number]) => [number as number, name]));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
