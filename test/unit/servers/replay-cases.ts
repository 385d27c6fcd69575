import { readFileSync } from 'node:fs';
import path from 'node:path';
import { httpDate } from '../../../cache/http-date.ts';
import type { Resource, SiteManifest } from '../../../cache/manifest.ts';
import type { Match } from '../../../cache/match.ts';
import type { SubResources } from '../../../servers/replay/replay.ts';

/** A reply in the terms that both implementations are compared by. */
export interface PlainReply {
  status: number;
  headers: string[][];
  match: Match;
  url: string | null;
  bytes: number[] | null;
  waitMs: number;
}

/** A request without functions, so that it can be passed to another program. */
export interface PlainRequest {
  method: string;
  host: string;
  path: string;
  headers: Record<string, string>;
  nowMs: number;
}

/** Input of replies. */
export interface ReplaySite extends Pick<SiteManifest, 'url' | 'recordedAt' | 'resources'> {
  /** Absent: served. */
  subResources?: SubResources;
}

/** Cases of one kind, all of one site. */
export interface ReplayGroup {
  rules: string;
  site: ReplaySite;
  cases: { name: string; request: PlainRequest; expected: PlainReply }[];
}

interface CaseFile {
  groups: {
    rules: string;
    recordedAt?: string;
    subResources?: SubResources;
    resources: (Partial<Resource> & { url: string; bytes?: number })[];
    cases: {
      name: string;
      request: Partial<Omit<PlainRequest, 'nowMs'>> & { path: string; now?: string };
      expect: Partial<PlainReply> & { length?: number | null };
    }[];
  }[];
}

const NOW = '2026-11-20T12:30:15.500Z';

/** The table of test/fixtures/replay-cases.json with its defaults filled in. */
export function readReplayCases(): ReplayGroup[] {
  const file = path.join(import.meta.dirname, '..', '..', 'fixtures', 'replay-cases.json');
  const { groups } = JSON.parse(readFileSync(file, 'utf8')) as CaseFile;
  return groups.map(({ rules, recordedAt, subResources, resources: short, cases }) => {
    const resources = short.map(wholeResource);
    return {
      rules,
      site: { url: resources[0]?.url ?? '', recordedAt, subResources, resources },
      cases: cases.map(({ name, request: { now = NOW, ...request }, expect }) => {
        const whole = {
          method: 'GET',
          host: 'www.site.test',
          headers: {},
          ...request,
          nowMs: Date.parse(now),
        };
        return { name, request: whole, expected: wholeReply(expect, whole, resources) };
      }),
    };
  });
}

/** A resource with the body, of 10 bytes, and everything else that a test does not mention. */
export function wholeResource({
  bytes = 10,
  ...given
}: Partial<Resource> & { url: string; bytes?: number }): Resource {
  return {
    method: 'GET',
    status: 200,
    type: 'other',
    headers: [],
    contentEncoding: null,
    body: bytes ? 'bodies/0' : null,
    sha256: null,
    wireBytes: bytes,
    decodedBytes: bytes,
    ...given,
  } as Resource;
}

function wholeReply(
  { url, length, bytes, headers, ...given }: Partial<PlainReply> & { length?: number | null },
  request: PlainRequest,
  resources: readonly Resource[],
): PlainReply {
  const wanted = url === undefined ? `https://${request.host}${request.path}` : url;
  const method = request.method === 'POST' ? 'POST' : 'GET';
  const preflighted = request.headers['access-control-request-method'];
  const resource = resources.find(
    (each) => each.url === wanted && each.method === (preflighted ?? method),
  );
  if (wanted !== null && !resource) throw new Error(`no resource is ${wanted}`);
  const bodyBytes = resource?.wireBytes ?? 0;
  const contentLength = length === undefined ? bodyBytes : length;
  const wholeBody = bodyBytes > 0 ? [0, bodyBytes - 1] : null;
  const status = given.status ?? resource?.status ?? 404;
  return {
    match: 'exact',
    waitMs: 0,
    ...given,
    status,
    url: wanted,
    bytes: bytes === undefined ? wholeBody : bytes,
    headers: [
      ...(headers ?? resource?.headers ?? []),
      ['date', httpDate(Math.floor(request.nowMs / 1000))],
      ['alt-svc', 'h3=":443"; ma=86400'],
      ...(contentLength === null ? [] : [['content-length', String(contentLength)]]),
    ],
  };
}
