import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Har } from '../../clients/har/har.ts';
import type { Observation } from '../../ground/records/observation.ts';

/** The HAR of an attempt of the run in this folder. */
export function readHar(out: string, { files }: Pick<Observation, 'files'>): Har {
  return JSON.parse(readFileSync(path.join(out, files.har ?? ''), 'utf8'));
}

/** Versions of HTTP of the responses of each host. */
export function versionsByHost({ log: { entries } }: Har): Record<string, string[]> {
  const byHost = Map.groupBy(entries, ({ request }) => new URL(request.url).host);
  return Object.fromEntries(
    [...byHost].map(([host, own]) => [
      host,
      [...new Set(own.map(({ response }) => response.httpVersion))],
    ]),
  );
}
