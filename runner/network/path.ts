import type { NetworkBackend, PathCounts } from '../../records/network.ts';
import type { PathAgent } from './agent.ts';
import type { NetworkCondition } from './conditions.ts';

export type { DirectionCounts, PathCounts } from '../../records/network.ts';

/** A path between browser and servers, made by one of the backends. */
export interface Path {
  backend: NetworkBackend;
  agent: PathAgent;
  /** Makes the path behave as asked from now on, and counts from zero. */
  apply(condition: NetworkCondition): Promise<void>;
  /** What went over the path since apply(). */
  count(): Promise<PathCounts>;
}

/** What a path is made for. */
export interface PathOptions {
  /** The project's Python. */
  python: string;
  /** How many hosts need an address on the server's side. */
  hosts: number;
  /** TCP's congestion control on both ends. */
  congestionControl: string;
  /** Initial congestion window of TCP in segments; null: the kernel's own. */
  initcwnd: number | null;
  /** What to put before the command of the program that carries the packets, to give it cores of its own. */
  prefix?: readonly string[];
  signal?: AbortSignal;
}
