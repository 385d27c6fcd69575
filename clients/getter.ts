import { once } from 'node:events';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { collectTail } from '../ground/system/bounded-body.ts';
import { startChild } from '../ground/system/child-process.ts';
import { MachineError } from '../ground/system/errors.ts';
import { lendCopies } from '../ground/system/lent-copies.ts';
import { withoutRights } from '../ground/system/unprivileged-user.ts';
import { type ConnectionRequest, type ConnectionResult, trustedFiles } from './connector.ts';

/** Requests a resource over a new connection. */
export interface BodyRequest
  extends Pick<
    ConnectionRequest,
    'via' | 'host' | 'authority' | 'address' | 'keyExchange' | 'trust' | 'timeoutMs'
  > {
  /** Protocol to use; the only ALPN offer over TCP. */
  alpn: 'h3' | 'h2' | 'http/1.1';
  path: string;
  /** Request fields in addition to method, scheme, authority and path; names in lower case. */
  fields: Readonly<Record<string, string>>;
}

export interface BodyResult extends Omit<ConnectionResult, 'keyLog'> {
  /** Response fields, names in lower case. */
  headers: [name: string, value: string][];
  /** Body bytes received, even if incomplete. */
  receivedBytes: number;
}

const CLOSE_MS = 2_000;
/** Characters of stderr to keep: the last line has the response's header fields. */
const STDERR_TAIL_CHARACTERS = 4_000_000;
const CLOSED_BY_READER: ReadonlySet<string> = new Set([
  'EPIPE',
  'ECONNRESET',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_UNABLE_TO_PIPE',
]);

/**
 * Gets a resource by a program that reads a BodyRequest from stdin (a line of JSON), prints the body, and ends stderr with a
 * BodyResult (a line of JSON).
 * @param enter command prefix that enters the program's namespace; absent: none
 * @param output receives the body; it is not ended
 * @returns null: the reader of the output closed it early
 * @throws MachineError if the output cannot be written, as on a full disk
 */
export async function getBody(
  command: readonly string[],
  request: BodyRequest,
  { output, signal, enter }: { output: Writable; signal: AbortSignal; enter?: readonly string[] },
): Promise<BodyResult | null> {
  const [trusted] = trustedFiles(request.trust);
  const lent = trusted && (await lendCopies(path.dirname(trusted), [path.basename(trusted)]));
  const [program = '', ...args] = withoutRights(command, enter && { enter });
  const child = startChild(program, args);
  const { stdin, stdout, stderr } = child.process;
  if (!stdin || !stdout || !stderr) throw new Error('a program without pipes');
  const stop = () => void child.stop(CLOSE_MS);
  signal.addEventListener('abort', stop);
  const closed = once(child.process, 'close');
  const said = collectTail(stderr, STDERR_TAIL_CHARACTERS);
  try {
    const trust = lent ? path.join(lent.folder, path.basename(trusted)) : request.trust;
    stdin.write(`${JSON.stringify({ ...request, trust })}\n`);
    const failed = await pipeline(stdout, output, { end: false })
      .then(() => flushOutput(output))
      .then(
        () => null,
        (error: NodeJS.ErrnoException) => (output.errored as NodeJS.ErrnoException | null) ?? error,
      );
    signal.throwIfAborted();
    if (failed && CLOSED_BY_READER.has(failed.code ?? '')) return null;
    if (failed) throw new MachineError(`The body cannot be written: ${failed.message}.`);
    await closed;
    signal.throwIfAborted();
    const last = said().trimEnd().split('\n').at(-1) ?? '';
    if (child.end === 0 && last.startsWith('{')) return JSON.parse(last) as BodyResult;
    throw new Error(`The client ended (${child.end}). ${said().slice(-500)}`);
  } finally {
    signal.removeEventListener('abort', stop);
    await child.stop(CLOSE_MS);
    if (lent) await lent.remove();
  }
}

/** Waits for buffered writes, because a pipeline with `end: false` does not. */
function flushOutput(output: Writable): Promise<void> {
  return new Promise((resolve, reject) =>
    output.write('', (error) => (error ? reject(error) : resolve())),
  );
}
