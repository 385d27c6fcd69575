/** What was taken of the machine while a load went on, and what was there before. */
export interface MachineUse {
  /** Right before the load. */
  loadAverage1m: number;
  /** Smaller of before and after the load. */
  availableMemoryMb: number;
  /** Share of the load's time in which some process waited for a core; null: the kernel does not tell. */
  cpuPressurePercent: number | null;
  /** Share of all cores' time that the hypervisor gave to other machines; null: the kernel does not tell. */
  stealPercent: number | null;
  /** Processor time of processes that do not belong to the run, as a share of one core. */
  otherCpuPercent: number;
  /** Processor time of the server of this load, in ms; null: it ended. */
  serverCpuMs: number | null;
  /** Processor time of the browser, from the navigation until the network was quiet, in ms; null: not told. */
  browserCpuMs: number | null;
  /** Processor time of the runner's own threads over the same time, in ms; null: not told. */
  runnerCpuMs: number | null;
  /** Datagrams that the kernel dropped because a UDP socket's buffer was full, at either end. */
  udpReceiveBufferErrors: number;
}

/** The limits above which a load counts as disturbed, chosen before the run. */
export interface QuietRule {
  otherCpuPercent: number;
  stealPercent: number;
  /** Below, not above. */
  availableMemoryMb: number;
}
