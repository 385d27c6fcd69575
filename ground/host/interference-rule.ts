import type { InterferenceRule, MachineUse } from '../records/machine-use.ts';

/**
 * Limits above which a load counts as disturbed. CPU pressure, load average and dropped datagrams are not used:
 * they rise with the load's own work, more so with a user-space QUIC, and would exclude one stack more often
 * than another.
 */
export const INTERFERENCE_RULE: InterferenceRule = {
  /**
   * Services of a quiet machine take a few percent. The shortest watch lasts about 150 ms, where counting in
   * steps of 10 ms can add a little over a tenth of a core, but never a quarter.
   */
  otherCpuPercent: 25,
  /**
   * On shared hosts a few percent are normal. A tenth makes waits for the processor about a tenth longer; in the
   * shortest watch on 2 cores it is three counting steps.
   */
  stealPercent: 10,
  /** About the need of a page with many images; with less, the kernel takes memory away from running programs. */
  availableMemoryMb: 256,
};

/** Disturbance of a load, as a sentence; null: undisturbed. */
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

/** One decimal, so that a value slightly above a limit does not look equal to it. */
function percentText(percent: number): string {
  return `${percent.toFixed(1)} %`;
}
