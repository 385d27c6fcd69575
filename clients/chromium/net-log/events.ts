/** One event of a NetLog, its numbers turned into names. */
export interface NetLogEvent {
  /** Of the kernel's monotonic clock, in whole ms. */
  timeMs: number;
  /** `SSL_CONNECT`. */
  name: string;
  phase: 'begin' | 'end' | 'none';
  /** What it happened to: `SOCKET`, `QUIC_SESSION`; ids are never given twice in one file. */
  source: { type: string; id: number };
  params: Record<string, unknown>;
}

/** Kinds of numbers in parameters, by their names in the NetLog. */
type ParameterTable = 'netError' | 'quicError' | 'certStatusFlag';

/** Turns the lines of a NetLog file into events, one line after the other. */
export interface EventReader {
  /** The line's event; null when it holds none, or was cut or damaged. */
  read(line: string): NetLogEvent | null;
  /** Whether the numbers' names have been read; without them no line can be. */
  readonly started: boolean;
  /** Whether the list of events came to its end: a browser that was killed leaves a file without. */
  readonly ended: boolean;
  /** Lines within the list that could not be read. */
  readonly damagedLines: number;
  /** The names of numbers and flags that parameters of events hold. */
  names(table: ParameterTable): ReadonlyMap<number, string>;
}

/**
 * Starts reading. The file is one JSON document with a line of constants (which name means which number in this very
 * Chromium), then one event a line; it is read by lines because it may be long, and may lack its end.
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
      // The list's end stands behind its last event; what follows is not about events.
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
