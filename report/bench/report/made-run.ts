import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Fixture, fixtureRun, writeRun } from '../../../test/unit/report/fixture-run.ts';

const SITES = 30;

/** Stacks x conditions of the made-up run: this many loads for each site and repetition. */
const LOADS_OF_A_REPETITION = 3 * 2;

const HEADERS = Array.from({ length: 16 }, (_, index) => ({
  name: `x-example-header-${index}`,
  value: 'a value about as long as those of browsers are'.slice(0, 20 + index),
}));

/** A made-up run of 30 sites, 3 stacks and 2 conditions, with about so many loads that count. */
export function madeRun(loads: number): Fixture {
  return fixtureRun({
    subjects: Array.from({ length: SITES }, (_, index) => `site-${index + 1}.example`),
    repetitions: Math.max(1, Math.round(loads / SITES / LOADS_OF_A_REPETITION)),
  });
}

/**
 * Writes a made-up run into a folder. Every load with the number of a median one has a HAR of the size that a real one
 * has, about 2 kB for each request; all others would only lie beside them unread.
 */
export async function writeMadeRun(
  folder: string,
  fixture: Fixture,
  harsOf: ReadonlySet<string>,
): Promise<void> {
  await writeRun(folder, fixture);
  await mkdir(path.join(folder, 'har'), { recursive: true });
  const requestsOf = new Map(
    fixture.run.subjects.map(({ subject, resources }) => [subject, resources]),
  );
  for (const { id, subject, files, protocol, metrics } of fixture.observations) {
    const { har } = files;
    if (!harsOf.has(id) || har === undefined) continue;
    const text = harText(requestsOf.get(subject) ?? 1, protocol, metrics.pageLoadMs ?? 0);
    await writeFile(path.join(folder, har), text);
  }
}

/** A HAR with evenly spread requests that end by the load event. */
function harText(requests: number, protocol: string, pageLoadMs: number): string {
  const startedMs = Date.UTC(2026, 10, 20, 10);
  const shareMs = pageLoadMs / (requests + 8);
  const entries = Array.from({ length: requests }, (_, index) => {
    const timings = {
      blocked: shareMs,
      dns: 0,
      connect: index === 0 ? shareMs : -1,
      ssl: -1,
      send: 0,
      wait: 3 * shareMs,
      receive: 2 * shareMs,
      _queued: shareMs / 2,
    };
    return {
      pageref: 'page_1',
      startedDateTime: new Date(startedMs + index * shareMs).toISOString(),
      time: 7 * shareMs,
      request: {
        method: 'GET',
        url: `https://www.example.org/assets/of-the-page/${index}/file-${index}.js?version=${index}`,
        httpVersion: protocol,
        headers: HEADERS,
        bodySize: 0,
      },
      response: {
        status: 200,
        httpVersion: protocol,
        headers: HEADERS.slice(0, 5),
        content: { size: 20_000, mimeType: 'text/javascript' },
        _transferSize: 20_300,
      },
      timings,
    };
  });
  const page = {
    id: 'page_1',
    startedDateTime: new Date(startedMs).toISOString(),
    pageTimings: { onContentLoad: pageLoadMs * 0.7, onLoad: pageLoadMs * 0.97 },
  };
  return JSON.stringify({ log: { version: '1.2', pages: [page], entries } });
}
