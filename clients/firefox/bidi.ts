import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
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
  /** Resolves when the connection ends. */
  ended: Promise<void>;
  close(): void;
}

/** A line of BiDi's transport: an answer, or an event without an id. */
interface Message extends BidiEvent {
  id?: number;
  type: 'success' | 'error' | 'event';
  result?: unknown;
  error?: string;
  message?: string;
}

const RELAY = path.join(import.meta.dirname, 'relay.mjs');

/**
 * Connects to a Firefox that listens in a network namespace.
 * @param enter prefix of commands in that namespace
 */
export function connectBidi(port: number, enter: readonly string[]): BidiSession {
  const needs = { enter, reads: [RELAY] };
  const relay = spawn(
    '/usr/bin/env',
    [...enter, ...withoutRights([process.execPath, RELAY, String(port)], needs)],
    { stdio: ['pipe', 'pipe', 'ignore'] },
  );
  return sessionOver(relay);
}

function sessionOver(
  relay: Pick<ChildProcess, 'stdin' | 'stdout' | 'once' | 'kill'>,
): BidiSession {
  const { stdin, stdout } = relay;
  if (!stdin || !stdout) throw new Error('a relay without pipes');
  const listeners = new Set<(event: BidiEvent) => void>();
  const pending = new Map<number, PromiseWithResolvers<unknown>>();
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  let sent = 0;
  let isOver = false;
  const end = () => {
    isOver = true;
    for (const { reject } of pending.values()) reject(new Error('Firefox ended the connection'));
    pending.clear();
    resolve();
  };
  relay.once('exit', end);
  relay.once('error', end);
  // The relay may have ended.
  stdin.on('error', () => {});
  createInterface({ input: stdout }).on('line', (line) => {
    const message = JSON.parse(line) as Message;
    const waiting = message.id === undefined ? undefined : pending.get(message.id);
    if (waiting && message.id !== undefined) {
      pending.delete(message.id);
      if (message.type === 'success') waiting.resolve(message.result);
      else waiting.reject(new Error(`${message.error}: ${message.message}`));
    } else if (message.type === 'event') {
      for (const listener of listeners) listener(message);
    }
  });
  return {
    ended,
    send<Result>(method: string, params: object = {}) {
      const waiting = Promise.withResolvers<unknown>();
      // The caller handles the rejection, or has stopped waiting.
      waiting.promise.catch(() => {});
      if (isOver) waiting.reject(new Error('Firefox has ended the connection'));
      else {
        pending.set(++sent, waiting);
        stdin.write(`${JSON.stringify({ id: sent, method, params })}\n`);
      }
      return waiting.promise as Promise<Result>;
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => stdin.end(),
  };
}
