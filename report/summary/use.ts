import type { Observation } from '../../records/observation.ts';
import { median } from '../../statistics/median.ts';

/** What loads took of the processor and what they met there: medians; null: no load tells. */
export interface ProcessorUse {
  /** Share of a load's time in which some process waited for a core. */
  cpuPressurePercent: number | null;
  clientCpuMs: number | null;
  serverCpuMs: number | null;
  /** Of the user-space link; netem has none. */
  linkCpuMs: number | null;
  /** Of the benchmark's own process. */
  runnerCpuMs: number | null;
}

/** The medians over some loads. */
export function processorUseOf(loads: readonly Observation[]): ProcessorUse {
  return mediansOf(
    loads.map(({ machine, path }) => ({
      cpuPressurePercent: machine?.cpuPressurePercent ?? null,
      clientCpuMs: machine?.clientCpuMs ?? null,
      serverCpuMs: machine?.serverCpuMs ?? null,
      linkCpuMs: path?.linkCpuMs ?? null,
      runnerCpuMs: machine?.runnerCpuMs ?? null,
    })),
  );
}

/** Field by field, over the loads of a site or over sites. */
export function mediansOf(uses: readonly ProcessorUse[]): ProcessorUse {
  const medianOf = (field: keyof ProcessorUse) => median(uses.flatMap((use) => use[field] ?? []));
  return {
    cpuPressurePercent: medianOf('cpuPressurePercent'),
    clientCpuMs: medianOf('clientCpuMs'),
    serverCpuMs: medianOf('serverCpuMs'),
    linkCpuMs: medianOf('linkCpuMs'),
    runnerCpuMs: medianOf('runnerCpuMs'),
  };
}

/** What loads sent over the path, down to the browser and up to the servers: medians; null: no load tells. */
export interface PathUse {
  /** With the Ethernet header of each packet. */
  downBytes: number | null;
  upBytes: number | null;
  downPackets: number | null;
  upPackets: number | null;
}

/** The medians over some loads. */
export function pathUseOf(loads: readonly Observation[]): PathUse {
  const medianOf = (direction: 'toClient' | 'toServer', count: 'bytes' | 'packets') =>
    median(loads.flatMap(({ path }) => path?.[direction][count] ?? []));
  return {
    downBytes: medianOf('toClient', 'bytes'),
    upBytes: medianOf('toServer', 'bytes'),
    downPackets: medianOf('toClient', 'packets'),
    upPackets: medianOf('toServer', 'packets'),
  };
}
