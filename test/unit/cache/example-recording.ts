import type { RecordedExchange, Recording } from '../../../cache/recording.ts';

/** An exchange with defaults that most tests do not need. */
export function exampleExchange(
  url: string,
  {
    body = '',
    ...rest
  }: Partial<Omit<RecordedExchange, 'body'>> & { body?: string | Uint8Array | null } = {},
): RecordedExchange {
  return {
    where: `entry ${url}`,
    method: 'GET',
    url,
    status: 200,
    headers: [],
    body: body === null ? null : Buffer.from(body),
    bodyIs: 'as sent',
    type: null,
    ...rest,
  };
}

/** The document of `exampleRecording`. */
export const EXAMPLE_DOCUMENT = exampleExchange('https://www.a.test/', {
  headers: [['Content-Type', 'text/html']],
  body: '<link rel="icon" href="data:,"><p>page',
  type: 'document',
});

/** A recording of one document and further requests. */
export function exampleRecording(
  exchanges: RecordedExchange[] = [],
  rest: Partial<Recording> = {},
): Recording {
  return {
    documentUrl: 'https://www.a.test/',
    source: 'made for a test',
    recordedAt: null,
    exchanges: [EXAMPLE_DOCUMENT, ...exchanges],
    notes: [],
    ...rest,
  };
}
