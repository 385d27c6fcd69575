import { shown } from '../import-error.ts';
import { SERVER_HEADERS } from '../response-headers.ts';

/** Notes of archiving tools, and headers that make a browser contact other machines or its user. */
const DROPPED_HEADERS: ReadonlySet<string> = new Set([
  'x-original-url',
  'proxy-authenticate',
  'proxy-authorization',
  'nel',
  'report-to',
  'reporting-endpoints',
]);

/** Headers with a URL: becomes https, with other characters than ASCII percent-encoded. */
const URL_HEADERS: ReadonlySet<string> = new Set(['location', 'content-location']);

/**
 * Headers of a saved response for a manifest, in order, with names in lower case; without the content coding,
 * which must be checked against the body. `notes` reports unusual removals.
 */
export function replayableHeaders(saved: [string, string][]): {
  headers: [name: string, value: string][];
  notes: string[];
} {
  const headers: [string, string][] = [];
  const notes: string[] = [];
  const hopByHop = namedByConnection(saved);
  for (const [savedName, savedValue] of saved) {
    const name = savedName.toLowerCase();
    if (SERVER_HEADERS.has(name) || DROPPED_HEADERS.has(name) || hopByHop.has(name)) continue;
    if (name === 'content-encoding') continue;
    if (name === 'www-authenticate') {
      notes.push('header dropped that requests a password: www-authenticate');
      continue;
    }
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name)) {
      notes.push(`header dropped with an invalid name: "${shown(savedName)}"`);
      continue;
    }
    const value = (URL_HEADERS.has(name) ? replayableUrl(savedValue) : savedValue).trim();
    if (/[^\t\x20-\x7e]/.test(value)) {
      notes.push(`header dropped whose value is not printable ASCII: ${shown(name)}`);
      continue;
    }
    headers.push([name, value]);
  }
  return { headers, notes };
}

/** Headers named by the Connection header (RFC 9110, section 7.6.1). */
function namedByConnection(saved: [string, string][]): Set<string> {
  const values = saved.filter(([name]) => name.toLowerCase() === 'connection');
  return new Set(
    values.flatMap(([, value]) => value.split(',').map((name) => name.trim().toLowerCase())),
  );
}

function replayableUrl(latin1: string): string {
  return (
    latin1
      .replace(/^http:/i, 'https:')
      // All servers use the default port.
      .replace(/^((?:https:)?\/\/[^/?#:@[\]]+):\d+/i, '$1')
      .replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`)
  );
}
