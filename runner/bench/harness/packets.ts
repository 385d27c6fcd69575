import { contextPoolFor } from '../../../clients/chromium/context-pool.ts';
import type { ContextPool } from '../../../clients/chromium/load-context.ts';
import type { Trial } from '../../../ground/records/run.ts';
import { hodgesLehmann } from '../../../statistics/hodges-lehmann.ts';
import { hodgesLehmannInterval } from '../../../statistics/hodges-lehmann-interval.ts';
import { logRatios } from '../../../statistics/log-ratios.ts';
import { median } from '../../../statistics/median.ts';
import { blocksOf, delayed, type EachSite, loadIn, type SiteBench } from './bench.ts';
import { fixed, printRow } from './table.ts';

const MODES = ['none', 'all'] as const;
type Mode = (typeof MODES)[number];

interface MeasuredLoad {
  /** Page load time. */
  ms: number;
  /** Processor time of the program that carries the packets; 0: the backend has no such program. */
  linkCpuMs: number;
  packets: number;
}

/** Prints page load times with and without capturing packets, pair by pair, and processor time of the link. */
export async function printPackets(
  eachSite: EachSite,
  repetitions: number,
  rttsMs: readonly number[],
): Promise<void> {
  await eachSite(async (here) => {
    const contexts = contextPoolFor('context', here.servers, here.settings);
    try {
      for (const rttMs of rttsMs) {
        for (const { stack } of here.servers) {
          const loads: Record<Mode, MeasuredLoad[]> = { none: [], all: [] };
          const network = delayed(rttMs);
          for (const trial of blocksOf(here.manifest.site, MODES, network, repetitions)) {
            const way = trial.arm as Mode;
            const loaded = await loadBy(way, { ...trial, arm: stack.stack }, contexts, here);
            if (!trial.warmup) loads[way].push(loaded);
          }
          print(`${here.manifest.site} by ${stack.stack}, ${rttMs} ms`, loads);
        }
      }
    } finally {
      await contexts.close();
    }
  });
}

async function loadBy(
  packets: Mode,
  trial: Trial,
  contexts: ContextPool,
  here: SiteBench,
): Promise<MeasuredLoad> {
  const choices = { ...here.context.choices, packets };
  const { metrics, path } = await loadIn(contexts, trial, {
    ...here,
    context: { ...here.context, choices },
  });
  return {
    ms: metrics.pageLoadMs ?? Number.NaN,
    linkCpuMs: path?.linkCpuMs ?? 0,
    packets: path ? path.toServer.packets + path.toClient.packets : Number.NaN,
  };
}

function print(heading: string, { none, all }: Record<Mode, MeasuredLoad[]>): void {
  console.log(`\n${heading}: medians without and with --packets all, their ratio (95 % interval)`);
  printRow(['page load, ms', ...cells(none, all, ({ ms }) => ms)]);
  if (all.some(({ linkCpuMs }) => linkCpuMs === 0)) return;
  printRow(['link CPU, ms', ...cells(none, all, ({ linkCpuMs }) => linkCpuMs)]);
  const usPerPacket = ({ linkCpuMs, packets }: MeasuredLoad) => (1000 * linkCpuMs) / packets;
  printRow(['link CPU per packet, us', ...cells(none, all, usPerPacket)]);
}

function cells(
  none: readonly MeasuredLoad[],
  all: readonly MeasuredLoad[],
  numberOf: (loaded: MeasuredLoad) => number,
): string[] {
  const pairs = logRatios(
    all.flatMap((loaded, index) => {
      const without = none[index];
      return without ? [[numberOf(loaded), numberOf(without)] as const] : [];
    }),
  );
  const interval = hodgesLehmannInterval(pairs);
  const ratio = (log: number | null | undefined) =>
    fixed(log === null || log === undefined ? null : Math.exp(log), 3);
  return [
    fixed(median(none.map(numberOf))),
    fixed(median(all.map(numberOf))),
    `${ratio(hodgesLehmann(pairs))} (${ratio(interval?.low)} to ${ratio(interval?.high)})`,
  ];
}
