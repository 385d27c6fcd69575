/** A system program that creates or inspects the path. */
export interface NetworkProgram {
  program: string;
  askVersion: string;
  /** Its package in Debian and Ubuntu. */
  from: string;
}

/** Set-up installs those that are missing, and doctor names them. */
export const NETWORK_PROGRAMS: readonly NetworkProgram[] = [
  { program: 'ip', askVersion: '-V', from: 'iproute2' },
  { program: 'tc', askVersion: '-V', from: 'iproute2' },
  { program: 'ss', askVersion: '-V', from: 'iproute2' },
  { program: 'sysctl', askVersion: '--version', from: 'procps' },
  { program: 'nsenter', askVersion: '--version', from: 'util-linux' },
];
