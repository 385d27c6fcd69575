import { shown } from '../import-error.ts';
import { SERVER_HEADERS } from '../response-headers.ts';

/** Notes of the tool that saved the page, and headers that make a browser talk to other machines or to its user. */
const DROPPED_HEADERS: ReadonlySet<string> = new Set([
  'x-original-url',
  'proxy-authenticate',
  'proxy-authorization',
  'nel',
  'report-to',
  'reporting-endpoints',
]);

/** Headers whose value is a URL: it becomes https, and bytes that are not ASCII can be percent-encoded. */
const URL_HEADERS: ReadonlySet<string> = new Set(['location', 'content-location']);

/**
 * The headers of a saved response that a manifest may hold, in order, names in lower case; the content coding is left out,
 * because only the body can tell whether it is true. `notes` says what had to go and is not gone by rule.
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
      notes.push('header dropped that would have the browser ask for a password: www-authenticate');
      continue;
    }
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name)) {
      notes.push(`header dropped that has no header's name: "${shown(savedName)}"`);
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

/** Headers that the Connection header claims for the connection (RFC 9110, section 7.6.1). */
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
      // All servers stand on the default port.
      .replace(/^((?:https:)?\/\/[^/?#:@[\]]+):\d+/i, '$1')
      .replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`)
  );
}
