import type { CongestionControl } from '../ground/records/congestion-control.ts';
import type { Sender } from '../ground/records/sender.ts';
import { UsageError } from '../ground/system/errors.ts';
import { readIfThere } from '../ground/system/read-if-there.ts';

const SETTING = 'net.ipv4.tcp_available_congestion_control';

/** Congestion controls that need no kernel module to be loaded, in the kernel's order; null: not reported. */
export function kernelCongestionControls(): string[] | null {
  const text = readIfThere(`/proc/sys/${SETTING.replaceAll('.', '/')}`);
  return text?.trim().split(/\s+/) ?? null;
}

export function modprobeCommand(name: CongestionControl): string {
  return `sudo modprobe tcp_${name}`;
}

/** @throws UsageError if this kernel does not have it */
export function assertInKernel(
  name: CongestionControl,
  known: readonly string[] | null = kernelCongestionControls(),
): void {
  if (known === null || known.includes(name)) return;
  throw new UsageError(
    `--cc ${name}: TCP of this kernel has ${known.join(' and ')} (${SETTING}). Load it with \`${modprobeCommand(name)}\`, or choose one of these.`,
  );
}

const CUBIC_AND_RENO = {
  // tcp_is_cwnd_limited() lets the window grow in slow start when more than half of it was sent.
  windowGrowth: 'per packet when half used',
  // Pacing is done by the queueing discipline fq alone.
  isPaced: null,
} as const;

const KERNEL_SENDERS: Readonly<Record<CongestionControl, Sender>> = {
  cubic: {
    ...CUBIC_AND_RENO,
    windowGrowth: `${CUBIC_AND_RENO.windowGrowth} with HyStart`,
    lossBackOff: 'to 0.7',
    source: 'net/ipv4/tcp_cubic.c of Linux',
  },
  reno: { ...CUBIC_AND_RENO, lossBackOff: 'to 0.5', source: 'net/ipv4/tcp_cong.c of Linux' },
  bbr: {
    windowGrowth: 'with the measured bandwidth',
    lossBackOff: 'packet conservation',
    isPaced: true,
    source: 'net/ipv4/tcp_bbr.c of Linux',
  },
};

/** Properties of a sender by the kernel's name of its congestion control; undefined: unknown. */
export function kernelSender(name: string): Sender | undefined {
  return Object.hasOwn(KERNEL_SENDERS, name)
    ? KERNEL_SENDERS[name as CongestionControl]
    : undefined;
}
