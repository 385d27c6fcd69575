import os from 'node:os';
import type { Check, Finding } from '../../../ground/host/check.ts';
import { CONGESTION_CONTROLS } from '../../../ground/records/congestion-control.ts';
import { runProgram } from '../../../ground/system/program-output.ts';
import { readIfThere } from '../../../ground/system/read-if-there.ts';
import type { PathAgent } from '../../../network/agent.ts';
import {
  kernelCongestionControls,
  modprobeCommand,
} from '../../../network/kernel-congestion-control.ts';
import { netemAvailable } from '../../../network/netem/available.ts';
import { NETWORK_PROGRAMS, type NetworkProgram } from '../../../runner/network-programs.ts';
import { type Refusal, tryInNamespaces, unknownFinding } from '../network-agent.ts';
import { lackFinding, noteFinding, okFinding } from './finding.ts';

// Owns no files, on every Linux.
const NOBODY_UID = 65534;

/** Programs that set up the path and run processes in its namespaces. */
export const networkTools: Check = {
  name: 'network tools',
  async run() {
    const versions = NETWORK_PROGRAMS.map(async ({ program, versionArg, from }) => {
      const answer = await runProgram(program, [versionArg]);
      return { program, from, version: answer.ok ? answer.output : null };
    });
    return checkNetworkTools(await Promise.all(versions));
  },
};

export interface Tool extends Pick<NetworkProgram, 'program' | 'from'> {
  /** null: not installed. */
  version: string | null;
}

export function checkNetworkTools(tools: readonly Tool[]): Finding {
  const missing = tools.filter(({ version }) => version === null);
  if (missing.length > 0) {
    const packages = [...new Set(missing.map(({ from }) => from))].join(' ');
    return lackFinding(
      `missing: ${missing.map(({ program }) => program).join(', ')}`,
      `On Debian and Ubuntu: apt-get install ${packages}`,
    );
  }
  const iproute = /iproute2-([\w.]+)/.exec(tools[0]?.version ?? '')?.[1] ?? 'of unknown version';
  return okFinding(`${tools.map(({ program }) => program).join(', ')} (iproute2 ${iproute})`);
}

/** Network namespaces of browser and servers. */
export const namespaces: Check = {
  name: 'namespaces',
  async run() {
    const tried = await tryInNamespaces(['client'], (agent) => agent.userNamespace);
    if ('refused' in tried) return { status: 'lack', ...tried.refused };
    if (!tried.value) return checkAsRoot(await whyNotWithoutRoot());
    return okFinding('without root, in a user namespace; Chromium keeps its sandbox');
  },
};

/** @param whyNot why ordinary users cannot create namespaces; null: they can */
export function checkAsRoot(whyNot: string | null): Finding {
  if (whyNot === null) return okFinding('as root; ordinary users could create them too');
  return okFinding(`as root; ordinary users could not: ${whyNot}`);
}

/** Tries as an ordinary user what the path agent would do. */
async function whyNotWithoutRoot(): Promise<string | null> {
  if (process.getuid?.() !== 0) return null;
  const attempt = ['--user', '--map-current-user', '--net', 'true'];
  const tried = await runProgram('unshare', attempt, { uid: NOBODY_UID });
  return tried.ok
    ? null
    : obstacle(tried.reason, (name) => readIfThere(`/proc/sys/${name}`)?.trim() ?? null);
}

/** The setting that forbids it if known, else the system's reason. */
export function obstacle(reason: string, setting: (name: string) => string | null): string {
  if (setting('user/max_user_namespaces') === '0') return 'user.max_user_namespaces is 0';
  if (setting('kernel/unprivileged_userns_clone') === '0') {
    return 'kernel.unprivileged_userns_clone is 0';
  }
  if (setting('kernel/apparmor_restrict_unprivileged_userns') === '1') {
    return "Ubuntu's AppArmor forbids it (kernel.apparmor_restrict_unprivileged_userns is 1)";
  }
  return reason;
}

export const netem: Check = {
  name: 'netem',
  async run() {
    const tried = await tryInNamespaces(['client'], netemAvailable);
    return 'refused' in tried ? unknownFinding() : checkNetem(tried.value === true, os.release());
  },
};

export function checkNetem(available: boolean, kernel: string): Finding {
  if (available) return okFinding(`in this kernel (${kernel}): used by default`);
  return noteFinding(
    `not in this kernel (${kernel}): the user-space link is used, which is as exact if it has priority`,
    'Nothing to do. To use netem: as root, modprobe sch_netem (on Ubuntu after apt-get install linux-modules-extra-$(uname -r))',
  );
}

/** Needed by the user-space link. */
export const tun: Check = {
  name: '/dev/net/tun',
  async run() {
    const opened = await tryInNamespaces(['client', 'server'], async (agent) => {
      const devices = { client: 'path0', server: 'path0' };
      await agent.openLink({ ...devices, longestPacketBytes: 1500, segmentation: false });
    });
    if ('value' in opened) return checkTun(null, true);
    const tried = await tryInNamespaces(['client'], netemAvailable);
    // Without namespaces that check has already reported the refusal.
    if ('refused' in tried) return unknownFinding();
    return checkTun(opened.refused, tried.value === true);
  },
};

/**
 * @param refused why no device could be opened; null: it could
 * @param hasNetem whether netem can replace it
 */
export function checkTun(refused: Refusal | null, hasNetem: boolean): Finding {
  if (refused === null) return okFinding('works: the user-space link can be used');
  if (hasNetem) {
    return noteFinding(`${refused.found}; netem is used`, refused.remedy);
  }
  return { status: 'lack', ...refused };
}

export const priority: Check = {
  name: 'real-time priority',
  async run() {
    const tried = await tryInNamespaces(['client'], (agent) => agent.realtime);
    return 'refused' in tried ? unknownFinding() : checkPriority(tried.value);
  },
};

export function checkPriority(realtime: PathAgent['realtime']): Finding {
  switch (realtime) {
    case 'fifo':
      return okFinding('SCHED_FIFO: the user-space link is exact on a busy machine');
    case 'eevdf':
      return noteFinding(
        'short time slices: single packets of the user-space link may be a few ms late',
        'Run as root, or allow real-time priority to this user (rtprio in /etc/security/limits.conf)',
      );
    case 'none':
      return noteFinding(
        'none: packets of the user-space link may be tens of ms late on a busy machine',
        'Run as root, use netem, or a kernel from 6.12 on; keep the machine quiet',
      );
  }
}

/** Values of --cc that work here. */
export const congestionControl: Check = {
  name: 'congestion control',
  run: () => checkCongestionControls(kernelCongestionControls()),
};

/** @param known algorithms of the kernel; null: not reported */
export function checkCongestionControls(known: readonly string[] | null): Finding {
  if (known === null) return noteFinding('this kernel does not report its algorithms');
  const found = `TCP has ${known.join(', ')}`;
  const missing = CONGESTION_CONTROLS.filter((name) => !known.includes(name));
  if (missing.length === 0) return okFinding(found);
  return noteFinding(
    `${found}; --cc ${missing.join(' and ')} cannot be used`,
    missing.map(modprobeCommand).join(' && '),
  );
}
