import type { PathAgent } from './agent.ts';
import type { NetworkCondition } from './conditions.ts';

/** A path between browser and servers, made by one of the backends. */
export interface Path {
  backend: 'netem' | 'userspace';
  agent: PathAgent;
  /** Makes the path behave as asked from now on, and counts from zero. */
  apply(condition: NetworkCondition): Promise<void>;
  /** What went over the path since apply(). */
  count(): Promise<PathCounts>;
}

/** Counts of both directions. */
export interface PathCounts {
  toServer: DirectionCounts;
  toClient: DirectionCounts;
}

/** Counts of one direction. */
export interface DirectionCounts {
  packets: number;
  bytes: number;
  /** Lost because the condition asks for loss. */
  lost: number;
  /** Dropped because the queue was full. */
  queueDrops: number;
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
  signal?: AbortSignal;
}
