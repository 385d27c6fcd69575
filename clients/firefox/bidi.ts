import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { LINE_BYTES, textLines } from '../../ground/system/bounded-lines.ts';
import { type Child, startChild } from '../../ground/system/child-process.ts';
import { withoutRights } from '../../ground/system/unprivileged-user.ts';

/** An event of WebDriver BiDi. */
export interface BidiEvent {
  method: string;
  params: unknown;
}

/** A session of WebDriver BiDi with a Firefox. */
export interface BidiSession {
  /** @throws Error with Firefox's error code and message, and when the session has ended */
  send<Result = unknown>(method: string, params?: object): Promise<Result>;
  /** Calls a function for every event; returns its removal. */
  listen(listener: (event: BidiEvent) => void): () => void;
  /** Resolves when the connection ends, with the reason. */
  ended: Promise<string>;
  close(): Promise<void>;
}

/** An answer, or an event, which has no id. */
interface Message extends BidiEvent {
  id?: number;
  type: 'success' | 'error' | 'event';
  result?: unknown;
  error?: string;
  message?: string;
}

const RELAY = path.join(import.meta.dirname, 'relay-program.ts');
const CLOSE_MS = 1_000;

/**
 * Connects to a Firefox that listens in a network namespace.
 * @param enter prefix of commands in that namespace
 */
export function connectBidi(port: number, enter: readonly string[]): BidiSession {
  const relay = startChild('/usr/bin/env', [
    ...enter,
    ...withoutRights([process.execPath, RELAY, String(port)], { enter, reads: [RELAY] }),
  ]);
  const { stdin, stdout, stderr } = relay.process;
  if (!stdin || !stdout || !stderr) throw new Error('a relay without pipes');
  stderr.resume();
  return {
    ...sessionOver(stdin, stdout, relay),
    close: () => relay.stop(CLOSE_MS),
  };
}

/** A session over two streams of a relay with one message a line; stops it when a message cannot be read. */
export function sessionOver(
  requests: Writable,
  answers: Readable,
  relay: Pick<Child, 'ended' | 'stop'>,
): Omit<BidiSession, 'close'> {
  const listeners = new Set<(event: BidiEvent) => void>();
  const pending = new Map<number, PromiseWithResolvers<unknown>>();
  let sent = 0;
  let why: string | null = null;
  const ended = Promise.withResolvers<string>();
  const end = (reason: string) => {
    if (why !== null) return;
    why = reason;
    for (const { reject } of pending.values()) reject(new Error(reason));
    pending.clear();
    ended.resolve(reason);
  };
  const receive = (message: Message) => {
    const { id, type } = message;
    const waiting = id === undefined ? undefined : pending.get(id);
    if (type === 'event') for (const listener of listeners) listener(message);
    else if (id !== undefined && waiting) {
      pending.delete(id);
      if (type === 'success') waiting.resolve(message.result);
      else waiting.reject(new Error(`${message.error}: ${message.message}`));
    }
  };
  const receiveAll = async () => {
    const limit = { maxBytes: LINE_BYTES.firefox };
    for await (const line of textLines(answers, limit)) receive(JSON.parse(line) as Message);
  };
  receiveAll().catch(({ message }: Error) => {
    end(`Firefox sent a message that cannot be read: ${message}`);
    relay.stop(0);
  });
  relay.ended.then(() => end('Firefox has ended'));
  return {
    ended: ended.promise,
    send<Result>(method: string, params: object = {}) {
      const waiting = Promise.withResolvers<unknown>();
      // The caller may have stopped waiting.
      waiting.promise.catch(() => {});
      if (why !== null) waiting.reject(new Error(why));
      else {
        pending.set(++sent, waiting);
        requests.write(`${JSON.stringify({ id: sent, method, params })}\n`);
      }
      return waiting.promise as Promise<Result>;
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
