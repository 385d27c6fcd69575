import { NETWORK_PROGRAMS } from '../runner/network-programs.ts';
import { systemPrograms } from './system-programs.ts';

/** The programs that make and read the network path. */
export const network = systemPrograms('looking for the network tools', NETWORK_PROGRAMS);
