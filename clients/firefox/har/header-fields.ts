import type { HarCookie, HarPair } from '../../har/har.ts';
import type { HeaderField } from '../channel-facts.ts';

export function pairsOf(fields: readonly HeaderField[]): HarPair[] {
  return fields.filter(isFromServer).map(([name, value]) => ({ name, value }));
}

/** Firefox adds fields of its own, such as X-Firefox-Spdy. */
function isFromServer([name]: HeaderField): boolean {
  return !/^x-firefox-(spdy|http3|early-data)$/i.test(name);
}

/** Values of a header field, ignoring case. */
export function valuesOf(headers: readonly HarPair[], name: string): string[] {
  return headers.filter((field) => field.name.toLowerCase() === name).map(({ value }) => value);
}

export function cookiesSent(headers: readonly HarPair[]): HarCookie[] {
  return valuesOf(headers, 'cookie').flatMap((value) =>
    value.split(/; */).filter(Boolean).map(pairIn),
  );
}

/** Cookies of a response, with those attributes that a HAR has (RFC 6265, section 5.2). */
export function cookiesSet(headers: readonly HarPair[]): HarCookie[] {
  return valuesOf(headers, 'set-cookie').map((value) => {
    const [cookie = '', ...rest] = value.split(/; */);
    const attributes = new Map(
      rest.map((attribute) => {
        const [name = '', ...value] = attribute.split('=');
        return [name.toLowerCase(), value.join('=')];
      }),
    );
    const expiresMs = Date.parse(attributes.get('expires') ?? '');
    const [path, domain] = [attributes.get('path'), attributes.get('domain')];
    return {
      ...pairIn(cookie),
      ...(path && { path }),
      ...(domain && { domain }),
      ...(!Number.isNaN(expiresMs) && { expires: new Date(expiresMs).toISOString() }),
      httpOnly: attributes.has('httponly'),
      secure: attributes.has('secure'),
    };
  });
}

/** `a=1`; one without a name is only a value (RFC 6265bis, section 5.6). */
function pairIn(text: string): HarPair {
  const [, name = '', value = ''] = /^(?:([^=]*)=)?(.*)$/s.exec(text) ?? [];
  return { name: name.trim(), value: value.trim() };
}
