const EVENTS = [
  'URL_REQUEST_START_JOB',
  'HTTP_TRANSACTION_READ_RESPONSE_HEADERS',
  'URL_REQUEST_FILTERS_SET',
  'URL_REQUEST_JOB_BYTES_READ',
  'URL_REQUEST_JOB_FILTERED_BYTES_READ',
  'URL_REQUEST_REDIRECTED',
  'CANCELLED',
  'REQUEST_ALIVE',
];
const PHASES = { none: 0, begin: 1, end: 2 };

/** An event in a test's terms: id of the request, name, parameters, phase. */
export type LogLine = [
  id: number,
  name: string,
  params?: Record<string, unknown>,
  phase?: keyof typeof PHASES,
];

/** A NetLog of these events, line by line in Chromium's format. */
export async function* netLogOf(lines: readonly LogLine[]): AsyncIterable<string> {
  yield JSON.stringify({
    constants: {
      logEventPhase: { PHASE_NONE: 0, PHASE_BEGIN: 1, PHASE_END: 2 },
      logEventTypes: Object.fromEntries(EVENTS.map((name, index) => [name, index])),
      logSourceType: { URL_REQUEST: 1, SOCKET: 2 },
    },
  }).replace(/\}$/, ',');
  yield '"events": [';
  for (const [id, name, params = {}, phase = 'none'] of lines) {
    const event = {
      params,
      phase: PHASES[phase],
      source: { id, start_time: '0', type: 1 },
      time: '1',
      type: EVENTS.indexOf(name),
    };
    yield `${JSON.stringify(event)},`;
  }
}

/** A request's begin. */
export function begun(id: number, url: string, more: Record<string, unknown> = {}): LogLine {
  return [id, 'URL_REQUEST_START_JOB', { method: 'GET', url, ...more }, 'begin'];
}

/** A response's head. */
export function head(id: number, ...headers: string[]): LogLine {
  return [id, 'HTTP_TRANSACTION_READ_RESPONSE_HEADERS', { headers }];
}

/** A piece of a body before (`URL_REQUEST_JOB_BYTES_READ`) or behind the filters. */
export function read(id: number, text: string, filtered = true): LogLine {
  const bytes = Buffer.from(text).toString('base64');
  const name = filtered ? 'URL_REQUEST_JOB_FILTERED_BYTES_READ' : 'URL_REQUEST_JOB_BYTES_READ';
  return [id, name, { byte_count: text.length, bytes }];
}

/** A request's end; with an error when it failed. */
export function ended(id: number, error?: number): LogLine {
  return [id, 'REQUEST_ALIVE', error === undefined ? {} : { net_error: error }, 'end'];
}
