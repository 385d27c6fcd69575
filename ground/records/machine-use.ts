import { anyNumber, count, number, object, orNull, percent, type Static } from './schema.ts';

/** What was taken of the machine while an attempt went on, and what was there before. */
export const machineUseSchema = object(
  {
    loadAverage1m: number('Load average over one minute, right before the attempt.'),
    availableMemoryMb: number(
      'Available memory in MB, the smaller of before and after the attempt.',
    ),
    cpuPressurePercent: orNull(
      number(
        "Share of the attempt's time in which some process waited for a core, in percent; null: the kernel does not tell.",
      ),
    ),
    stealPercent: orNull(
      number(
        "Share of all cores' time that the hypervisor gave to other machines, in percent; null: the kernel does not tell.",
      ),
    ),
    otherCpuPercent: anyNumber(
      'Processor time of processes that do not belong to the run, in percent of one core.',
    ),
    serverCpuMs: orNull(
      number(
        'Processor time of the server of this attempt, in ms; null: it ended, or its process is not known.',
      ),
    ),
    clientCpuMs: orNull(
      number('Processor time of the client from its start to its end, in ms; null: not told.'),
    ),
    runnerCpuMs: orNull(
      number(
        "Processor time of the runner's own threads over the same time, in ms; null: not told.",
      ),
    ),
    udpReceiveBufferErrors: count(
      "Datagrams that the kernel dropped because a UDP socket's buffer was full, at either end.",
    ),
  },
  'What was taken of the machine while the attempt went on.',
);

export type MachineUse = Static<typeof machineUseSchema>;

/** The limits beyond which an attempt counts as disturbed, chosen before the run. */
export const interferenceRuleSchema = object(
  {
    otherCpuPercent: percent("Limit of an attempt's otherCpuPercent, in percent of one core."),
    stealPercent: percent("Limit of an attempt's stealPercent, in percent of all cores."),
    availableMemoryMb: number('An attempt with less memory than this is disturbed, in MB.', {
      minimum: 0,
      maximum: 1_000_000,
    }),
  },
  'The limits beyond which an attempt counts as disturbed.',
);

export type InterferenceRule = Static<typeof interferenceRuleSchema>;
