import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { PageLoad, Protocol } from '../../../records/page-load.ts';
import type { RunRecord } from '../../../records/run.ts';
import { runFolder } from '../../../records/run-folder.ts';

export interface FixtureOptions {
  sites?: readonly string[];
  repetitions?: number;
  warmups?: boolean;
  /** Changes single loads after they were made, for failures and the like. */
  change?: (load: PageLoad) => void;
}

const STACKS: { stack: string; label: string; protocol: Protocol; factor: number }[] = [
  { stack: 'lsquic-h3', label: 'lsquic (h3)', protocol: 'h3', factor: 1.05 },
  { stack: 'bun-h2', label: 'Bun (h2)', protocol: 'h2', factor: 1 },
  { stack: 'flask-h1', label: 'Flask (http/1.1)', protocol: 'http/1.1', factor: 1.6 },
];

/** A made-up run with plausible numbers: the same options give the same run. */
export function fixtureRun({
  sites = ['www.iana.org', 'www.wikipedia.org'],
  repetitions = 3,
  warmups = true,
  change = () => {},
}: FixtureOptions = {}): { run: RunRecord; pageLoads: PageLoad[] } {
  const random = numbersFrom(7);
  const network = { rttMs: 0, downKbps: null, upKbps: null, lossPercent: 0 };
  const run: RunRecord = {
    formatVersion: 1,
    runId: '2026-11-20T10-00-00Z',
    startedAt: '2026-11-20T10:00:00.000Z',
    command: ['--sites', sites.join(','), '--repetitions', String(repetitions)],
    seed: 7,
    repetitions,
    timeoutS: 30,
    sites: sites.map((site, index) => ({
      site,
      url: `https://${/^[a-z0-9.-]+$/.test(site) ? site : 'www.example.org'}/`,
      source: `Generated from the shape of ${site} in December 2018; none of its content.`,
      kind: 'generated',
      hosts: 1 + (index % 7),
      resources: 4 + ((index * 37) % 190),
      wireBytes: 12_000 + ((index * 377_777) % 3_400_000),
      manifestSha256: 'ab'.repeat(32),
    })),
    stacks: STACKS.map(({ stack, label, protocol }) => ({ stack, label, protocol })),
    trials: [],
    versions: { 'quic-vs-https': '0.1.0', node: '24.21.0', chromium: '156.0.7000.1', bun: '1.4.5' },
    host: {
      os: 'Debian GNU/Linux 12 (bookworm)',
      kernel: '6.1.0-30-amd64',
      cpu: 'Example CPU @ 2.40GHz',
      cores: 2,
      memoryMb: 7_961,
      loadAverage1m: 0.12,
      tcpCongestionControl: 'cubic',
      loopbackMtu: 65_536,
    },
  };
  const pageLoads: PageLoad[] = [];
  for (const [siteIndex, site] of sites.entries()) {
    const baseMs = 60 + ((siteIndex * 97) % 900);
    for (let repetition = warmups ? 0 : 1; repetition <= repetitions; repetition += 1) {
      const block = STACKS.toSorted(() => random() - 0.5);
      for (const { stack, protocol, factor } of block) {
        const warmup = repetition === 0;
        const id = `s${siteIndex + 1}-${stack}-${warmup ? 'warmup' : `r${repetition}`}`;
        const trial = { id, site, stack, network, repetition, block: repetition, warmup };
        run.trials.push({ ...trial, visit: 'cold' });
        const pageLoad = baseMs * factor * (0.9 + 0.25 * random()) + (warmup ? 40 : 0);
        const load: PageLoad = {
          formatVersion: 1,
          ...trial,
          order: pageLoads.length + 1,
          protocol,
          network: { ...network, backend: 'loopback', measuredRttMs: null },
          visit: 'cold',
          outcome: 'ok',
          code: null,
          message: null,
          timingsMs: {
            pageLoad,
            documentTime: 8 + 20 * random(),
            firstByte: 12 + 6 * random(),
            connect: 4 + random(),
            domContentLoaded: pageLoad * 0.7,
            firstContentfulPaint: pageLoad * 0.6,
            largestContentfulPaint: null,
          },
          traffic: null,
          har: `har/${id}.har`,
          startedAt: new Date(Date.UTC(2026, 10, 20, 10, 0, pageLoads.length)).toISOString(),
          attempt: 1,
        };
        change(load);
        pageLoads.push(load);
      }
    }
  }
  return { run, pageLoads };
}

/** Makes a load look failed or invalid, as the runner would write it. */
export function spoil(
  load: PageLoad,
  outcome: 'failed' | 'invalid',
  code: string,
  message: string,
): void {
  load.outcome = outcome;
  load.code = code;
  load.message = message;
  if (outcome === 'invalid') return;
  for (const name of Object.keys(load.timingsMs) as (keyof PageLoad['timingsMs'])[]) {
    load.timingsMs[name] = null;
  }
  load.har = null;
}

/** Puts a run into a folder of its own that is gone after `use`. */
export async function withRunFolder(
  { run, pageLoads }: { run: RunRecord; pageLoads: PageLoad[] },
  use: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'quic-vs-https-run-'));
  try {
    await writeRun(folder, run, pageLoads);
    await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes run.json and page-loads.jsonl as the runner does. */
export async function writeRun(
  folder: string,
  run: RunRecord,
  pageLoads: readonly PageLoad[],
): Promise<void> {
  const files = runFolder(folder);
  await writeFile(files.run, `${JSON.stringify(run, null, 1)}\n`);
  await writeFile(files.pageLoads, pageLoads.map((load) => `${JSON.stringify(load)}\n`).join(''));
}

/** Numbers in [0, 1) that are the same every time (mulberry32). */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
