import type { ReceivedRequest } from './recorded-site.ts';
import { discardBody } from './request-body.ts';

// Methods of requests without a body.
const BODILESS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Reads a request of HTTP/2 or HTTP/3 to its end. */
export async function readRequest(
  fields: Readonly<Record<string, string | string[] | undefined>>,
  stream: AsyncIterable<Uint8Array | Uint8Array[]>,
): Promise<ReceivedRequest> {
  const header = (name: string) => joinFields(name, fields[name]);
  const method = header(':method') ?? '';
  return {
    method,
    host: header(':authority') ?? '',
    path: header(':path') ?? '',
    header,
    // A stream reset by its client has neither an end nor a reader of its answer.
    received: BODILESS.has(method) ? 0 : await discardBody(stream).catch(() => 0),
  };
}

/** Joins repeated fields; browsers send each cookie in its own (RFC 9114, section 4.2.1). */
function joinFields(name: string, value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(name === 'cookie' ? '; ' : ', ') : value;
}
