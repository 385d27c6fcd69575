import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { fieldWithoutSecret } from '../../secret-fields.ts';
import { netLogLines } from './lines.ts';

const EVENTS = '"events": [';

/**
 * Appends a NetLog to a file, gzipped. A truncated NetLog (Chromium was killed) is kept up to its last whole event, and ends with
 * `"cut": true`, so that it is valid JSON. Chromium redacts cookies and authorization; this redacts further secret fields.
 * @throws Error if there is no NetLog, or the file cannot be written
 */
export async function keepNetLog(netLogFile: string, file: string): Promise<void> {
  const lines = netLogLines(netLogFile);
  await pipeline(
    Readable.from(wholeNetLog(lines)),
    createGzip(),
    createWriteStream(file, { flags: 'a' }),
  );
}

/** Text of a whole NetLog from the lines of a possibly truncated one. */
async function* wholeNetLog(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let stage: 'head' | 'events' | 'tail' = 'head';
  // A line is known to be whole only when the next line begins.
  let last: string | null = null;
  let separator = '';
  let tail = '';
  for await (const line of lines) {
    if (stage === 'tail') {
      tail += `${line}\n`;
    } else if (stage === 'head') {
      yield `${line}\n`;
      if (line === EVENTS) stage = 'events';
    } else {
      if (last !== null) {
        yield `${separator}${withoutSecrets(last)}`;
        separator = ',\n';
      }
      last = line.replace(/,$/, '');
      if (!last.endsWith(']')) continue;
      last = last.slice(0, -1);
      stage = 'tail';
    }
  }
  if (stage === 'head') throw new Error('Chromium wrote no usable NetLog.');
  if (last !== null && isJson(last)) yield `${separator}${withoutSecrets(last)}`;
  yield stage === 'tail' && isJson(`{${tail}`) ? `],\n${tail}` : '],\n"cut": true}\n';
}

interface NetLogEvent {
  /** Fields as `name: value`. */
  params?: { headers?: unknown };
}

function withoutSecrets(line: string): string {
  if (!line.includes('"headers":') || !isJson(line)) return line;
  const event = JSON.parse(line) as NetLogEvent;
  const headers = event.params?.headers;
  if (!Array.isArray(headers)) return line;
  const kept = headers.map((header) =>
    typeof header === 'string' ? headerWithoutSecret(header) : header,
  );
  return JSON.stringify({ ...event, params: { ...event.params, headers: kept } });
}

function headerWithoutSecret(header: string): string {
  // Names of pseudo-header fields begin with a colon.
  const [, name, value] = /^(:?[^:]+): (.*)$/s.exec(header) ?? [];
  if (name === undefined || value === undefined || /bytes were stripped\]/.test(value))
    return header;
  return `${name}: ${fieldWithoutSecret({ name, value }).value}`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
