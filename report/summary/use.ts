import type { Observation } from '../../ground/records/observation.ts';
import * as s from '../../ground/records/schema.ts';
import { median } from '../../statistics/median.ts';

const known = (description: string) => s.orNull(s.number(description));

export const processorUseSchema = s.object(
  {
    cpuPressurePercent: known(
      "Share of a load's time in which some process waited for a core, in percent.",
    ),
    clientCpuMs: known('Processor time of the browser in ms.'),
    serverCpuMs: known('Processor time of the server in ms.'),
    linkCpuMs: known('Processor time of the user-space link in ms; null with netem.'),
    runnerCpuMs: known("Processor time of the benchmark's own process in ms."),
  },
  'Processor use and pressure of loads: medians; null: not measured.',
);

type ProcessorUse = s.Static<typeof processorUseSchema>;

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

const PROCESSOR_FIELDS = Object.keys(processorUseSchema.properties) as (keyof ProcessorUse)[];

/** Field by field, over the loads of a site or over sites. */
export function mediansOf(uses: readonly ProcessorUse[]): ProcessorUse {
  const medianOf = (field: keyof ProcessorUse) => median(uses.flatMap((use) => use[field] ?? []));
  return Object.fromEntries(
    PROCESSOR_FIELDS.map((field) => [field, medianOf(field)]),
  ) as ProcessorUse;
}

export const pathUseSchema = s.object(
  {
    downBytes: known('To the browser, with the Ethernet header of each packet.'),
    upBytes: known('To the servers, with the Ethernet header of each packet.'),
    downPackets: known('To the browser.'),
    upPackets: known('To the servers.'),
  },
  'Traffic of loads over the path: medians; null: not measured.',
);

type PathUse = s.Static<typeof pathUseSchema>;

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
