import type { HarPair, HarPostData } from './har.ts';

/** Parameters of a URL in their order, each with its own value. */
export function queryOf(url: string): HarPair[] {
  return pairsOf(new URL(url).searchParams);
}

/** A request's body by its header fields; null: none. */
export function postDataOf(headers: readonly HarPair[], text: string): HarPostData | null {
  if (text === '') return null;
  const type = headers.find(({ name }) => name.toLowerCase() === 'content-type');
  const mimeType = type?.value ?? 'application/octet-stream';
  if (!/^application\/x-www-form-urlencoded/i.test(mimeType)) return { mimeType, text };
  return { mimeType, text, params: pairsOf(new URLSearchParams(text)) };
}

function pairsOf(parameters: URLSearchParams): HarPair[] {
  return [...parameters].map(([name, value]) => ({ name, value }));
}
