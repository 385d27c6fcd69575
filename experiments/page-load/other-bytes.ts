import { isUtf8 } from 'node:buffer';
import path from 'node:path';
import type { Resource } from '../../cache/manifest.ts';
import type { ReceivedResponse } from '../../clients/page-context.ts';
import { unpack } from '../../ground/system/bounded-unpacking.ts';
import { readPlainFile } from '../../ground/system/plain-file.ts';
import { keyOf } from './checks/requests.ts';

type Body = NonNullable<Awaited<ReturnType<ReceivedResponse['readBody']>>>;

/** The requests whose response has the recorded length but other bytes. Bodies that the browser no longer has are not compared. */
export async function otherBytesIn(
  responses: readonly ReceivedResponse[],
  resources: readonly Resource[],
  siteFolder: string,
): Promise<string[]> {
  const recorded = new Map(resources.map((resource) => [keyOf(resource), resource]));
  const different: string[] = [];
  for (const response of responses) {
    const key = keyOf(response);
    const resource = recorded.get(key);
    if (!resource?.body) continue;
    if (response.bytes !== null && response.bytes !== resource.decodedBytes) continue;
    if (response.status !== resource.status) continue;
    const body = await response.readBody();
    if (body === null) continue;
    const wire = await readPlainFile(path.join(siteFolder, resource.body));
    const { contentEncoding, decodedBytes } = resource;
    const expected = contentEncoding === null ? wire : unpack(wire, contentEncoding, decodedBytes);
    if (!matchesBody(body, expected, response.charset)) different.push(key);
  }
  return different;
}

/** Whether a body may have these bytes. Chromium returns texts as characters, in an encoding that the page may have chosen. */
export function matchesBody(
  { body, base64Encoded }: Body,
  expected: Buffer,
  charset: string,
): boolean {
  if (base64Encoded) {
    const bytes = Buffer.from(body, 'base64');
    return bytes.length !== expected.length || bytes.equals(expected);
  }
  const text = withoutByteOrderMark(body);
  const isText = [charset, ...ENCODINGS].some((encoding) => decoded(expected, encoding) === text);
  // Text in another encoding than UTF-8 may be read differently by Chromium.
  return isText || body === '' || !isUtf8(expected);
}

/** Encodings of the web (WHATWG). A text without a declared encoding has that of its document. */
const ENCODINGS = `utf-8 utf-16le utf-16be
  windows-874 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258
  iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-10 iso-8859-13 iso-8859-14 iso-8859-15
  iso-8859-16 ibm866 koi8-r koi8-u macintosh x-mac-cyrillic gbk gb18030 big5 euc-jp iso-2022-jp shift_jis euc-kr`.split(
  /\s+/,
);

function decoded(bytes: Buffer, encoding: string): string | null {
  try {
    return withoutByteOrderMark(new TextDecoder(encoding).decode(bytes));
  } catch {
    // Unknown encoding.
    return null;
  }
}

function withoutByteOrderMark(text: string): string {
  return text.replace(/^\uFEFF/, '');
}
