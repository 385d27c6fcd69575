import assert from 'node:assert/strict';
import { test } from 'node:test';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { Resource } from '../../../cache/manifest.ts';
import type { Bounce } from '../../../cache/response-headers.ts';
import { plainReplies } from './replay/plain-replies.ts';
import {
  type PlainReply,
  type PlainRequest,
  type ReplaySite,
  readReplayCases,
  wholeResource,
} from './replay-cases.ts';

/** Runs an implementation of the rules of replay on each site with its requests. */
export type Implementation = (
  requests: readonly [ReplaySite, readonly PlainRequest[]][],
) => PlainReply[][];

/**
 * Tests that an implementation in another language answers as the table of cases and the TypeScript
 * one do.
 */
export function testImplementation(language: string, skip: string | false, run: Implementation) {
  test(`answers by replay in ${language} as in the table of cases`, { skip }, async (t) => {
    const groups = readReplayCases();
    const replies = run(
      groups.map(({ site, cases }) => [site, cases.map(({ request }) => request)]),
    );
    for (const [groupIndex, { rules, cases }] of groups.entries()) {
      for (const [index, { name, expected }] of cases.entries()) {
        await t.test(`${rules}: ${name}`, () => {
          assert.deepEqual(replies[groupIndex]?.[index], expected);
        });
      }
    }
  });

  test(`answers by replay in ${language} as in TypeScript, for any request`, { skip }, () => {
    const sites = randomSites(150);
    const replies = run(sites);
    const seen = new Set<number | string>();
    for (const [index, [site, requests]] of sites.entries()) {
      for (const [at, reply] of plainReplies(site, requests).entries()) {
        const where = JSON.stringify([site, requests[at]]);
        assert.deepEqual(replies[index]?.[at], reply, where);
        seen.add(reply.status).add(reply.match);
      }
    }
    // Rules that no request uses are not compared.
    const wanted = [200, 204, 206, 302, 304, 307, 404, 416, 'exact', 'query', 'none'];
    assert.deepEqual(
      wanted.filter((each) => !seen.has(each)),
      [],
    );
  });
}

/** Sites and requests from few words, which often match. */
function randomSites(count: number): [ReplaySite, PlainRequest[]][] {
  const random = xoroshiro128plus(7);
  const below = (limit: number) => uniformInt(random, 0, limit - 1);
  const one = <T>(...of: T[]): T => of[below(of.length)] as T;
  const maybe = <T>(value: T) => (below(2) ? [value] : []);
  const two = (number: number) => String(number).padStart(2, '0');
  const date = () => {
    const separator = one(' ', '-');
    const day = [two(below(33)), one('Jan', 'Feb', 'Dec', 'Foo'), one('0099', '2020', '2027')];
    const time = [below(25), below(61), below(62)].map(two).join(':');
    return `${one('Mon', 'Sunday')}, ${day.join(separator)} ${time} ${one('GMT', 'GMT', 'GMT', 'UTC')}`;
  };
  const etag = () => one('"a"', 'W/"a"', '"b,c"', 'bare', '*', '');
  const pair = () => one('a', 'a=1', 'a=2', 'b=1', 'b=1=1', '=', '', 'c?d');
  const target = () =>
    one('/', '/x', '/x/') +
    one('', '?') +
    Array.from({ length: below(4) }, pair).join(one('&', '&&'));
  const bounce = (): Bounce => ({
    cookie: one('a', 'b', 'a.b'),
    status: one(302, 307),
    headers: [['location', one(target(), `https://a.test${target()}`)]],
    waitMs: one(undefined, below(100) / 4),
  });
  const cookie = () => one('a=1', 'b=', 'a.b=x y', 'a', 'A=1', 'b="c;a=1"', 'axb=1', ' a=2', '=a');
  const resource = (): Resource => {
    const headers = [
      ...maybe(['etag', etag()]),
      ...maybe(['last-modified', date()]),
      ...maybe(['expires', one(date(), '0')]),
      ...maybe(['set-cookie', `a=1${one(';', ' ;')} ${one('Expires', 'expires')}=${date()}`]),
      ...maybe(['content-type', 'text/plain']),
      ...maybe(['location', one(target(), `https://a.test${target()}`)]),
    ] as Resource['headers'];
    const path = one('/', '/x', '/x/') + one('', `?${[pair(), pair()].join('&')}`);
    const method = one('GET' as const, 'GET' as const, 'POST' as const);
    return wholeResource({
      url: `https://${one('a', 'b')}.test${path}`,
      method,
      bounces: method === 'GET' && below(3) === 0 ? maybe(bounce()).concat(bounce()) : undefined,
      status: one(200, 200, 302, 204, 404),
      bytes: one(0, 1, 10),
      waitMs: one(undefined, below(100) / 4),
      headers,
    });
  };
  const range = () => `bytes=${one('', '0', '3', '9', '12')}-${one('', '0', '5', '9', '20', ' ')}`;
  const request = (): PlainRequest => ({
    method: one('GET', 'GET', 'GET', 'HEAD', 'POST', 'OPTIONS'),
    host: one('a.test', 'b.test', 'A.test:443'),
    path: target(),
    headers: Object.fromEntries([
      ...maybe(['origin', 'https://a.test']),
      ...maybe(['access-control-request-method', one('GET', 'POST', 'PUT')]),
      ...(below(3) ? [] : [['if-none-match', one(etag(), `"x", ${etag()}`)]]),
      ...(below(3) ? [] : [['if-modified-since', date()]]),
      ...maybe(['range', range()]),
      ...maybe(['cookie', Array.from({ length: below(4) }, cookie).join(one(';', '; '))]),
      ...(below(3) ? [] : [['if-range', one(etag(), date())]]),
    ]),
    nowMs: Date.UTC(2026, 10, 20) + below(1_000_000) * 1000 + below(1000),
  });
  return Array.from({ length: count }, () => {
    const resources = Array.from({ length: 12 }, resource);
    const site: ReplaySite = {
      url: one(...resources).url,
      recordedAt: one(undefined, '2020-02-29T23:59:59.999Z'),
      subResources: one('served', 'served', 'missing'),
      resources,
    };
    return [site, Array.from({ length: 40 }, request)];
  });
}
