import { closeSync, openSync } from 'node:fs';
import { run } from './command.mjs';

const DEVICE = '/dev/net/tun';

/** The two mechanisms for a network path; tests replace them. */
const MACHINE = {
  /** @throws Error if the device is missing, or this user may not open it */
  openTun: () => closeSync(openSync(DEVICE, 'r+')),
  async hasNetem() {
    const command = ['tc', 'qdisc', 'add', 'dev', 'lo', 'root', 'netem', 'delay', '1ms'];
    const apart = process.getuid() === 0 ? ['--net'] : ['--user', '--map-root-user', '--net'];
    // An ordinary user's PATH often lacks the folder of tc.
    const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` };
    return (await run('unshare', [...apart, ...command], { env })).ok;
  },
};

/**
 * A note before the slow steps: why this machine cannot run benchmarks; null: it can.
 */
export async function pathNote({ openTun, hasNetem } = MACHINE) {
  try {
    openTun();
    return null;
  } catch (error) {
    if (await hasNetem()) return null;
    const remedy =
      error.code === 'EACCES' || error.code === 'EPERM'
        ? `sudo chmod 666 ${DEVICE} lets you, as most systems do, or be root`
        : `load the kernel module tun (sudo modprobe tun), or give the container the device (docker run --device ${DEVICE})`;
    return `No benchmark can be run here yet: ${DEVICE} cannot be opened (${error.code}), and netem does not work. To mend it: ${remedy}. Everything else works without.`;
  }
}
