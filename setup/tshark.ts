import { complain } from '../ground/system/printed.mjs';
import { hasApt, installWithApt } from './apt.ts';
import { readStamp, writeStamp } from './folders.mjs';
import type { Step } from './step.mjs';
import { isInstalled } from './system-programs.ts';

const STAMP = 'tshark';

/** Reads captured packets. No measurement needs it, so it may be absent. */
export const tshark: Step = {
  title: 'looking for tshark, which reads captured packets',
  // Not tried again after a failure.
  isDone: () => isInstalled('tshark') || readStamp(STAMP) !== null,
  async run() {
    const trouble = hasApt ? await installWithApt(['tshark']) : 'apt can be used by root alone';
    writeStamp(STAMP, 'looked for\n');
    if (isInstalled('tshark')) return;
    complain(
      `set-up: there is no tshark (${trouble?.trim().split('\n').at(-1)}). Packets can be captured without it. To read them here, on Debian and Ubuntu: apt-get install tshark`,
    );
  },
};
