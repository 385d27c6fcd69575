import { INCOMPLETE, UNANSWERED } from '../../har/errors.ts';
import type { HarContent, HarPair, HarResponse } from '../../har/har.ts';
import type { ChannelFacts } from '../channel-facts.ts';
import { cookiesSet, pairsOf, valuesOf } from './header-fields.ts';
import { ERROR_NAME, httpVersionOf, resourceTypeOf } from './words.ts';

export function responseOf(facts: ChannelFacts): HarResponse {
  const { status, statusText } = facts;
  const headers = status === 0 ? [] : pairsOf(facts.responseHeaders);
  const httpVersion = httpVersionOf(facts);
  const isHttp1 = httpVersion.startsWith('http/');
  const bodySize = bodyBytes(facts);
  const error = errorOf(facts);
  return {
    status,
    // Only HTTP/1 has reason phrases; Firefox makes up some.
    statusText: isHttp1 ? statusText : '',
    httpVersion,
    cookies: cookiesSet(headers),
    headers,
    content: contentOf(facts, bodySize),
    redirectURL: valuesOf(headers, 'location')[0] ?? '',
    headersSize: isHttp1 ? headersBytes(facts, headers) : -1,
    bodySize,
    _transferSize: transferBytes(facts),
    ...(error !== null && { _error: error }),
  };
}

function errorOf(facts: ChannelFacts): string | null {
  const { status, endedMs, error, blocked } = facts;
  // What a preflight forbids is an error of the request behind it.
  if (status > 0 && resourceTypeOf(facts) === 'preflight') return null;
  if (endedMs === null) return status === 0 ? UNANSWERED : INCOMPLETE;
  const name = ERROR_NAME.exec(error ?? '')?.[1] ?? null;
  const isFailure = status === 0 && name !== 'NS_ERROR_DOM_BAD_URI';
  // Firefox says so too when no connection or response came.
  const reason = blocked === 'CORSDIDNOTSUCCEED' && isFailure ? null : blocked;
  if (reason !== null) return `${name ?? 'blocked'} (${reason})`;
  return name === 'NS_BINDING_REDIRECTED' ? null : name;
}

function transferBytes({ status, cache, endedMs, ...facts }: ChannelFacts): number {
  if (status === 0 || cache !== null) return 0;
  // Until the end, Firefox counts only the body.
  return endedMs === null ? facts.encodedBytes : facts.transferBytes;
}

function bodyBytes({ method, status, cache, endedMs, encodedBytes }: ChannelFacts): number {
  if (status === 0 || cache !== null || method === 'HEAD') return 0;
  // After 304, Firefox counts the cached body.
  if (status === 204 || status === 304) return 0;
  return endedMs === null ? -1 : encodedBytes;
}

/** Unknown with chunks, which Firefox counts without their lengths. */
function headersBytes(
  { transferBytes, encodedBytes, status, cache, endedMs }: ChannelFacts,
  headers: readonly HarPair[],
): number {
  const isChunked = valuesOf(headers, 'transfer-encoding').length > 0;
  if (endedMs === null || cache !== null || isChunked || transferBytes === 0) return -1;
  return transferBytes - (status === 304 ? 0 : encodedBytes);
}

/** Size of a decoded body; null: not known, as of a coded one that no page read. */
export function decodedSize({
  decodedBytes,
  encodedBytes,
  responseHeaders,
}: ChannelFacts): number | null {
  const isCoded = valuesOf(pairsOf(responseHeaders), 'content-encoding').length > 0;
  return decodedBytes || (isCoded ? null : encodedBytes);
}

function contentOf(facts: ChannelFacts, bodySize: number): HarContent {
  const { contentType, status } = facts;
  const size = status === 0 ? 0 : (decodedSize(facts) ?? 0);
  const isKnown = contentType !== '' && contentType !== 'application/x-unknown-content-type';
  return {
    size,
    ...(bodySize > 0 && size > bodySize && { compression: size - bodySize }),
    mimeType: isKnown ? contentType : 'x-unknown',
  };
}
