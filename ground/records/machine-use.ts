import * as s from './schema.ts';

/** Use of the machine during an attempt. */
export const machineUseSchema = s.object(
  {
    loadAverage1m: s.number('Load average over one minute, before the attempt.'),
    availableMemoryMb: s.number(
      'Available memory in MB, the smaller of before and after the attempt.',
    ),
    cpuPressurePercent: s.orNull(
      s.number(
        "Share of the attempt's time in which some process waited for a core, in percent; null: not reported by the kernel.",
      ),
    ),
    stealPercent: s.orNull(
      s.number(
        "Share of all cores' time that the hypervisor gave to other machines, in percent; null: not reported by the kernel.",
      ),
    ),
    otherCpuPercent: s.anyNumber(
      'Processor time of processes that do not belong to the run, in percent of one core.',
    ),
    serverCpuMs: s.orNull(
      s.number('Processor time of the server, in ms; null: it ended, or its process is unknown.'),
    ),
    clientCpuMs: s.orNull(
      s.number(
        'Processor time of the client from its start to its end, in ms; null: not reported.',
      ),
    ),
    runnerCpuMs: s.orNull(
      s.number(
        "Processor time of the runner's own threads over the same time, in ms; null: not reported.",
      ),
    ),
    udpReceiveBufferErrors: s.count(
      "Datagrams that the kernel dropped because a UDP socket's buffer was full, at either end.",
    ),
  },
  'Use of the machine during the attempt.',
);

export type MachineUse = s.Static<typeof machineUseSchema>;

/** Limits of an undisturbed attempt, chosen before the run. */
export const interferenceRuleSchema = s.object(
  {
    otherCpuPercent: s.percent("Limit of an attempt's otherCpuPercent, in percent of one core."),
    stealPercent: s.percent("Limit of an attempt's stealPercent, in percent of all cores."),
    availableMemoryMb: s.number('An attempt with less memory than this is disturbed, in MB.', {
      minimum: 0,
      maximum: 1_000_000,
    }),
  },
  'Limits beyond which an attempt counts as disturbed.',
);

export type InterferenceRule = s.Static<typeof interferenceRuleSchema>;
