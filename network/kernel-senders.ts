import type { CongestionControl } from '../ground/records/congestion-control.ts';
import type { Sender } from '../ground/records/sender.ts';

const OF_CUBIC_AND_RENO = {
  // tcp_is_cwnd_limited() lets a window grow in slow start when more than half of it was sent.
  windowGrowth: 'per packet when half used',
  // The queueing discipline fq paces; no other one does.
  isPaced: null,
} as const;

/** How Linux sends over TCP, by congestion control. */
const KERNEL_SENDERS: Readonly<Record<CongestionControl, Sender>> = {
  cubic: {
    ...OF_CUBIC_AND_RENO,
    windowGrowth: `${OF_CUBIC_AND_RENO.windowGrowth} with HyStart`,
    lossBackOff: 'to 0.7',
    source: 'net/ipv4/tcp_cubic.c of Linux',
  },
  reno: { ...OF_CUBIC_AND_RENO, lossBackOff: 'to 0.5', source: 'net/ipv4/tcp_cong.c of Linux' },
  bbr: {
    windowGrowth: 'with the measured bandwidth',
    lossBackOff: 'packet conservation',
    isPaced: true,
    source: 'net/ipv4/tcp_bbr.c of Linux',
  },
};

/** The sender of a congestion control by the kernel's name for it; undefined: not known. */
export function kernelSender(name: string): Sender | undefined {
  return Object.hasOwn(KERNEL_SENDERS, name)
    ? KERNEL_SENDERS[name as CongestionControl]
    : undefined;
}
