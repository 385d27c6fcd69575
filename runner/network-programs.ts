/** A program of the system that makes or reads the path between browser and servers. */
export interface NetworkProgram {
  program: string;
  askVersion: string;
  /** The package of Debian and Ubuntu that brings it. */
  from: string;
}

/** All of them; set-up installs what is missing, and doctor names it. */
export const NETWORK_PROGRAMS: readonly NetworkProgram[] = [
  { program: 'ip', askVersion: '-V', from: 'iproute2' },
  { program: 'tc', askVersion: '-V', from: 'iproute2' },
  { program: 'ss', askVersion: '-V', from: 'iproute2' },
  { program: 'sysctl', askVersion: '--version', from: 'procps' },
  { program: 'nsenter', askVersion: '--version', from: 'util-linux' },
];
