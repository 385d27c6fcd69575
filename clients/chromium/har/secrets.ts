import type { Har, HarCookie, HarPair, HarPostData, HarRequest } from './har.ts';

/** What stands in the place of a value. */
const LEFT_OUT = '(left out)';

/**
 * A copy of a HAR without the values of cookies and of whatever proves who somebody is, and without what pages send in the
 * bodies of requests. Names stay, as do all sizes, which are those of what was sent.
 */
export function withoutSecrets(har: Har): Har {
  const entries = har.log.entries.map((entry) => ({
    ...entry,
    request: requestWithoutSecrets(entry.request),
    response: {
      ...entry.response,
      cookies: entry.response.cookies.map(withoutValue),
      headers: entry.response.headers.map(withoutSecret),
    },
  }));
  return { log: { ...har.log, entries } };
}

function requestWithoutSecrets({ postData, ...request }: HarRequest): HarRequest {
  return {
    ...request,
    cookies: request.cookies.map(withoutValue),
    headers: request.headers.map(withoutSecret),
    ...(postData && { postData: withoutContent(postData) }),
  };
}

/** Whatever was typed into a form, or is told to whoever counts visitors. */
function withoutContent({ params, ...postData }: HarPostData): HarPostData {
  return {
    ...postData,
    text: LEFT_OUT,
    ...(params && { params: params.map(({ name }) => ({ name, value: LEFT_OUT })) }),
  };
}

/** Header fields that carry nothing else than a proof of who somebody is (RFC 9110, section 11; RFC 7615). */
const PROOFS = new Set([
  'authorization',
  'proxy-authorization',
  'authentication-info',
  'proxy-authentication-info',
]);

/** Words in the names of fields that sites made up for the same purpose: `x-api-key`, `x-csrf-token` ... */
const PROOF_WORDS =
  /(^|-)(api-?key|csrf|xsrf|auth|token|secret|password|session|session-?id|csrf-?token|xsrf-?token)(-|$)/;

function withoutSecret({ name, value }: HarPair): HarPair {
  const field = name.toLowerCase();
  if (PROOFS.has(field) || PROOF_WORDS.test(field)) return { name, value: LEFT_OUT };
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
