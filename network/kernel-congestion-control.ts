import type { CongestionControl } from '../ground/records/congestion-control.ts';
import { UsageError } from '../ground/system/errors.ts';
import { readIfThere } from '../ground/system/read-if-there.ts';

const SETTING = 'net.ipv4.tcp_available_congestion_control';

/** What TCP of this kernel can be set to without loading anything, in its order; null: the kernel does not tell. */
export function kernelCongestionControls(): string[] | null {
  const text = readIfThere(`/proc/sys/${SETTING.replaceAll('.', '/')}`);
  return text?.trim().split(/\s+/) ?? null;
}

/** The command that brings one into the kernel. */
export function loadingOf(name: CongestionControl): string {
  return `sudo modprobe tcp_${name}`;
}

/** @throws UsageError where TCP of this kernel cannot be set to it */
export function assertInKernel(
  name: CongestionControl,
  known: readonly string[] | null = kernelCongestionControls(),
): void {
  if (known === null || known.includes(name)) return;
  throw new UsageError(
    `--cc ${name}: TCP of this kernel has ${known.join(' and ')} (${SETTING}). Load it with \`${loadingOf(name)}\`, or choose one of these.`,
  );
}
