/** What the transport of the sender knew at a moment, all its connections together. Times are in ms since the transfer was asked for. */
export interface SenderSample {
  atMs: number;
  cwndBytes: number;
  inFlightBytes: number;
  rttMs: number;
  /** The least so far; null: not measured yet. */
  minRttMs: number | null;
  /** Handed over by the sending program, and not sent yet; null: the transport does not tell. */
  notSentBytes: number | null;
  /** So far: how long the receiver's window for a connection held it up; null: the transport does not tell. */
  receiveWindowMs: number | null;
  /** So far. */
  lostPackets: number;
}

/** What the link carried in the direction of the bodies in a short time. */
export interface LinkStep {
  atMs: number;
  forMs: number;
  bytes: number;
  /** How long a packet was being sent at the limited rate, or waited for a recorded link to take it. */
  busyMs: number;
  /** Packets that a full queue dropped. */
  queueDrops: number;
  /** Packets that were lost otherwise. */
  lost: number;
  /** The longest that a packet waited from coming to having been sent. */
  mostWaitMs: number;
}

/** What the programs of both ends took of the processor in a short time. */
export interface OccupationStep {
  atMs: number;
  forMs: number;
  client: Occupation;
  server: Occupation;
}

/** How long the thread of a program that was occupied longest had a core or waited for one, and how long all its threads together had one. */
interface Occupation {
  busiestMs: number;
  cpuMs: number;
}

/** What is known of a transfer that came to its end: nothing of what was asked for, of the path or of either end. */
export interface ObservedTransfer {
  /** Which end the bodies came from. */
  sends: 'client' | 'server';
  firstByteMs: number;
  lastByteMs: number;
  /** null: nobody told. */
  sender: readonly SenderSample[] | null;
  /** null: this path does not tell. */
  link: readonly LinkStep[] | null;
  /** null: the kernel does not tell. */
  occupation: readonly OccupationStep[] | null;
  /** Of the program that carries the packets; null: there is none. */
  linkCpuMs: number | null;
  /** What the receiver let be on its way to it before it had read anything; null: nobody told. */
  offered: OfferedWindows | null;
}

/** Windows above those of the kernel's TCP, in bytes; null: the protocol has none, or it is not known. */
export interface OfferedWindows {
  /** Of all streams together. */
  streamsBytes: number | null;
  connectionBytes: number | null;
}
