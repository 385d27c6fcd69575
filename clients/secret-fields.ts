interface Field {
  name: string;
  value: string;
}

/** Replaces a value. */
export const REDACTED = '(removed)';

/** Fields whose names have a word of secrets, but whose values are not secret. */
const OPEN_FIELDS = [
  // Permissions of pages, and formats that a client or server understands.
  /^access-control-/,
  /^accept-/,
  // A challenge proves nothing (RFC 9110, section 11.6.1); `Negotiate` with a token is found by its value.
  /^(www|proxy)-authenticate$/,
  // A random number against caches between the ends (RFC 6455, section 1.3).
  /^sec-websocket-key$/,
  // Numbers, such as `ratelimit-tokens`.
  /^(x-)?ratelimit-/,
  // Names of objects in caches, and of requests that are sent again.
  /(^|-)(cache|surrogate|idempotency)-?keys?$/,
  /^xkey$/,
  // Hashes of public keys (RFC 7469).
  /^public-key-pins(-report-only)?$/,
];

/** Stems of secrets in any place of a word, as in `phpsessid` and `x-csrftoken`. */
const SECRET_STEMS =
  /token|secret|passw|passphrase|passcode|credential|csrf|xsrf|forgery|jwt|bearer|assertion|signature|hmac|cookie|appcheck|captcha|turnstile|macaroon|verifier|principal|(?<!s)sess|auth(?!or(?!i[sz]))|keys?$/;

/** Words of secrets, matched as whole words only. */
const SECRET_WORDS =
  /^(2fa|certs?|certificate|clientcert|creds?|dpop|login|mfa|nonce|oidc|otp|pass|pin|psk|pwd|saml|sid|sig|sign|sso|ticket|totp)$/;

/** Fields with URL values, which are kept. */
const URL_FIELDS = /^(:path|(content-)?location|referer|link)$/;

/** Credentials (RFC 9110, section 11.4) and JSON web tokens (RFC 7519) in a field of any name. */
const SECRET_VALUES = [
  /^\s*(basic|bearer|dpop|negotiate|ntlm|token|apikey|oauth|sharedkey|sharedkeylite|key)\s+[\w.~+/:-]+=*\s*$/i,
  /^\s*(aws4-hmac-sha256|digest|hawk|mac|oauth|sharedaccesssignature|googlelogin|token|signature)\s.*\b(response|signature|sig|mac|auth|token)\s*=/i,
  /\bbearer\s+[\w.~+/-]{8,}/i,
  /(?<![\w-])eyJ[\w-]+\.[\w-]*\./,
];

/** Redacts a field whose name or value suggests a secret; names of cookies stay. */
export function fieldWithoutSecret({ name, value }: Field): Field {
  const field = name.toLowerCase();
  // `a=1; b=2`: each part is a cookie.
  if (field === 'cookie') return { name, value: value.split(';').map(pairWithoutValue).join(';') };
  // `a=1; Max-Age=60; Secure`: the first part is the cookie, the rest are its attributes.
  if (field === 'set-cookie') return { name, value: value.replace(/^[^;]*/, pairWithoutValue) };
  return { name, value: hasSecretName(name) || hasSecretValue(field, value) ? REDACTED : value };
}

function hasSecretName(name: string): boolean {
  // Pseudo-header fields (RFC 9113, section 8.3) are not secret.
  if (name.startsWith(':')) return false;
  const field = name.toLowerCase().replaceAll('_', '-');
  if (OPEN_FIELDS.some((open) => open.test(field))) return false;
  return wordsOf(name).some((word) => SECRET_STEMS.test(word) || SECRET_WORDS.test(word));
}

/** Words of a name: `X-ApiKey_v2` has x, api, key, v2. Consecutive capital letters stay one word. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z\d])(?=[A-Z])/g, '$1-')
    .toLowerCase()
    .split(/[^a-z\d]+/);
}

function hasSecretValue(field: string, value: string): boolean {
  return !URL_FIELDS.test(field) && SECRET_VALUES.some((secret) => secret.test(value));
}

/** A cookie without its value; one without a name is only a value (RFC 6265bis, section 5.6). */
function pairWithoutValue(pair: string): string {
  const [, name = ''] = /^([^=]*=)/.exec(pair) ?? [];
  return `${name || (/^\s*/.exec(pair)?.[0] ?? '')}${REDACTED}`;
}
