import { fieldWithoutSecret, REDACTED } from '../secret-fields.ts';
import type { Har, HarCookie, HarPostData, HarRequest } from './har.ts';

/**
 * A copy of a HAR without cookie values, credentials and request bodies. Names and the original sizes stay.
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

/** Removes form input and analytics data. */
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
