import type { RecordedExchange } from '../recording.ts';
import { BodyTooLargeError, checkCoding } from './content-coding.ts';
import { cacheUrl } from './file-url.ts';
import { headerValue } from './header-block.ts';

/** HTML beyond this is no page's, but data. */
const HTML_BYTES = 16 * 1024 * 1024;

/** Does not look beyond the element, so that a row of elements that never end takes no longer than any other text. */
const FRAME = /<i?frame\b[^<>]*?\bsrc\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)'|([^\s"'<>]+))/gi;

/** URLs that a page in HTML shows in frames, as the cache keeps them. */
export function framesOf(page: RecordedExchange): string[] {
  const html = Buffer.from(decodedBodyOf(page)).toString('latin1');
  const sources = new Set<string>();
  for (const [, double, single, bare] of html.matchAll(FRAME)) {
    sources.add((double ?? single ?? bare ?? '').trim().replaceAll('&amp;', '&'));
  }
  return [...sources].flatMap((source) => cacheUrl(source, page.url) ?? []);
}

function decodedBodyOf({ body, bodyIs, headers }: RecordedExchange): Uint8Array {
  if (body === null || body.length > HTML_BYTES) return new Uint8Array();
  if (bodyIs === 'decoded') return body;
  try {
    return checkCoding(headerValue(headers, 'content-encoding'), body, HTML_BYTES).decoded;
  } catch (error) {
    if (error instanceof BodyTooLargeError) return new Uint8Array();
    throw error;
  }
}
