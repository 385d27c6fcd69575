import type { Har, HarCookie, HarPair } from './har.ts';

/** What stands in the place of a value. */
export const LEFT_OUT = '(left out)';

/**
 * A copy of a HAR without the values of cookies and of whatever proves who somebody is. Their names stay, as do all sizes,
 * which are those of what was sent.
 */
export function withoutSecrets(har: Har): Har {
  const entries = har.log.entries.map((entry) => ({
    ...entry,
    request: {
      ...entry.request,
      cookies: entry.request.cookies.map(withoutValue),
      headers: entry.request.headers.map(withoutSecret),
    },
    response: {
      ...entry.response,
      cookies: entry.response.cookies.map(withoutValue),
      headers: entry.response.headers.map(withoutSecret),
    },
  }));
  return { log: { ...har.log, entries } };
}

/** Header fields that carry nothing else than a proof of who somebody is (RFC 9110, section 11; RFC 7615). */
const PROOFS = new Set([
  'authorization',
  'proxy-authorization',
  'authentication-info',
  'proxy-authentication-info',
]);

function withoutSecret({ name, value }: HarPair): HarPair {
  const field = name.toLowerCase();
  if (PROOFS.has(field)) return { name, value: LEFT_OUT };
  // `a=1; b=2`: each part is a cookie.
  if (field === 'cookie') return { name, value: value.split(';').map(pairWithoutValue).join(';') };
  // `a=1; Max-Age=60; Secure`: the first part is the cookie, the others say what holds for it.
  if (field === 'set-cookie') return { name, value: value.replace(/^[^;]*/, pairWithoutValue) };
  return { name, value };
}

/** A cookie without a name is all value (RFC 6265bis, section 5.6). */
function pairWithoutValue(pair: string): string {
  const [, name = ''] = /^([^=]*=)/.exec(pair) ?? [];
  return `${name || (/^\s*/.exec(pair)?.[0] ?? '')}${LEFT_OUT}`;
}

function withoutValue(cookie: HarCookie): HarCookie {
  return { ...cookie, value: LEFT_OUT };
}
