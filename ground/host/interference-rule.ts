import type { InterferenceRule, MachineUse } from '../records/machine-use.ts';

/**
 * The limits above which a load counts as disturbed. None of them is about what a load does itself: CPU pressure,
 * load average and dropped datagrams rise with the load's own work, and more with a QUIC that runs in user space, so
 * that leaving loads out by them would leave out one stack more than another.
 */
export const INTERFERENCE_RULE: InterferenceRule = {
  /**
   * A quiet machine's services take a few percent. The shortest watch lasts some 150 ms, in which the kernel's counting
   * in steps of 10 ms can feign a tenth of a core and a bit, and a quarter cannot come about by counting.
   */
  otherCpuPercent: 25,
  /**
   * Where virtual machines share a host, a few percent are normal and come and go in seconds. A tenth makes all that waits
   * for the processor about a tenth longer, and in the shortest watch on 2 cores it is three steps of the counting.
   */
  stealPercent: 10,
  /** About what a page with many images takes; with less, the kernel takes memory away from programs at work. */
  availableMemoryMb: 256,
};

/** What disturbed a load, as a sentence; null: nothing did. */
export function disturbanceText(use: MachineUse, rule: InterferenceRule): string | null {
  const found: string[] = [];
  if (use.otherCpuPercent > rule.otherCpuPercent) {
    found.push(
      `other programs took ${percentText(use.otherCpuPercent)} of a core (limit ${rule.otherCpuPercent} %)`,
    );
  }
  if (use.stealPercent !== null && use.stealPercent > rule.stealPercent) {
    found.push(
      `other virtual machines took ${percentText(use.stealPercent)} of the cores' time (limit ${rule.stealPercent} %)`,
    );
  }
  if (use.availableMemoryMb < rule.availableMemoryMb) {
    found.push(
      `only ${Math.floor(use.availableMemoryMb)} MB of memory were free for use (limit ${rule.availableMemoryMb} MB)`,
    );
  }
  return found.length === 0 ? null : `The machine was disturbed: ${found.join('; ')}.`;
}

/** One decimal, so that a value just above a limit does not look like the limit. */
function percentText(percent: number): string {
  return `${percent.toFixed(1)} %`;
}
