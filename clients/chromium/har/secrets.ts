import { fieldWithoutSecret, REDACTED } from '../secret-fields.ts';
import type { Har, HarCookie, HarPostData, HarRequest } from './har.ts';

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
      headers: entry.response.headers.map(fieldWithoutSecret),
    },
  }));
  return { log: { ...har.log, entries } };
}

function requestWithoutSecrets({ postData, ...request }: HarRequest): HarRequest {
  return {
    ...request,
    cookies: request.cookies.map(withoutValue),
    headers: request.headers.map(fieldWithoutSecret),
    ...(postData && { postData: withoutContent(postData) }),
  };
}

/** Whatever was typed into a form, or is told to whoever counts visitors. */
function withoutContent({ params, ...postData }: HarPostData): HarPostData {
  return {
    ...postData,
    text: REDACTED,
    ...(params && { params: params.map(({ name }) => ({ name, value: REDACTED })) }),
  };
}

function withoutValue(cookie: HarCookie): HarCookie {
  return { ...cookie, value: REDACTED };
}
