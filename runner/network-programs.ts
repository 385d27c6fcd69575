/** A system program that creates or inspects the path. */
export interface NetworkProgram {
  program: string;
  versionArg: string;
  /** Its package in Debian and Ubuntu. */
  from: string;
}

/** Set-up installs those that are missing, and doctor names them. */
export const NETWORK_PROGRAMS: readonly NetworkProgram[] = [
  { program: 'ip', versionArg: '-V', from: 'iproute2' },
  { program: 'tc', versionArg: '-V', from: 'iproute2' },
  { program: 'ss', versionArg: '-V', from: 'iproute2' },
  { program: 'sysctl', versionArg: '--version', from: 'procps' },
  { program: 'nsenter', versionArg: '--version', from: 'util-linux' },
];
