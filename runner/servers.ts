import path from 'node:path';
import type { Readable } from 'node:stream';
import { certificatesFolder, spkiPin } from '../certs/authority.ts';
import type { ReadyServer } from '../experiments/measuring.ts';
import type { CongestionControl } from '../ground/records/congestion-control.ts';
import { inFolder } from '../ground/records/file-name.ts';
import { type KeyExchange, keyExchangeOf } from '../ground/records/key-exchange.ts';
import type { QuicConnection } from '../ground/records/quic-sample.ts';
import type { RunChoices } from '../ground/records/run.ts';
import type { Stack } from '../ground/stack.ts';
import { bytesText, TooLargeError } from '../ground/system/bounded-buffer.ts';
import { LINE_BYTES, type LineLimit, textLines } from '../ground/system/bounded-lines.ts';
import { type Child, startChild } from '../ground/system/child-process.ts';
import { withDeadline } from '../ground/system/deadline.ts';
import { MachineError, ServerError } from '../ground/system/errors.ts';
import { lendCopies } from '../ground/system/lent-copies.ts';
import { withoutRights } from '../ground/system/unprivileged-user.ts';
import { urlOf } from '../servers/own-stack.ts';
import { DEFAULTS } from './defaults.ts';
import { openLog } from './server-log.ts';

/** A server that is ready to be asked. */
export interface Server extends Pick<ReadyServer, 'live' | 'skipResult' | 'keyExchange'> {
  stack: Stack;
  /** Host of the site to the `ip:port` where this server answers for it. */
  origins: Record<string, string>;
  /** What the server said of itself in its ready line. */
  details: Record<string, string>;
  /** Of its first process; null: not known, as of a server on another machine. */
  pid: number | null;
  /** What a server that runs already has shown of itself; absent: the run has started it. */
  shown?: ServerFacts;
  /** Base64 SHA-256 of the public keys of its certificates. */
  spkiPins: string[];
  /** Hands on every line that it prints from now on, until what is returned is called. */
  follow(listener: (line: string) => void): () => void;
  /**
   * Samples of its QUIC connections since it was asked before; absent: it was not started to take any.
   * @throws ServerError when it does not tell them
   */
  transportSamples?(): Promise<QuicConnection[]>;
  /** @throws ServerError when it has ended. */
  assertAlive(): void;
  /**
   * Asks a server that runs already whether it answers as before, over the path; absent: its process tells.
   * @throws ServerError when it does not
   */
  assertAnswers?(): Promise<void>;
}

/** What is known of a server that runs already in place of what others say of themselves. */
interface ServerFacts {
  /** As its `server` header field says; null: it has none. */
  program: string | null;
  /** Of its certificates as it sent them; null: not all of them were told. */
  certificateChainBytes: number | null;
  /** Whether it runs on this machine, whose TCP it has then. */
  isHere: boolean;
}

/** What to serve, and with what. */
export interface ServersOptions {
  stacks: readonly Stack[];
  siteFolder: string;
  site: string;
  /** Host to the IP address where it is to be served. */
  addresses: Readonly<Record<string, string>>;
  /** What to put before a command so that it runs where those addresses are. */
  enter: readonly string[];
  logsFolder: string;
  /** Where `<host>.pem` and `<host>.key` lie. */
  certsFolder?: string;
  /** Port of every host by the first stack, the next one by the next, and so on; absent: any free ones. */
  firstPort?: number;
  /** Stacks to addresses of their own, at which they listen at HTTPS_PORT; absent: none has any. */
  apart?: ReadonlyMap<Stack, ServersOptions['addresses']>;
  /** Whether to wait before an answer as long as the recorded server did. */
  thinkTime?: RunChoices['thinkTime'];
  /** Whether more than the main document is answered. */
  subResources?: RunChoices['subResources'];
  /** How the main document is sent, by stacks that can send it in another way. */
  document?: RunChoices['document'];
  /** Of the transport that programs bring along, where their stacks have no settings of their own; absent: the usual one. */
  congestionControl?: CongestionControl;
  /** Of programs that can be told; absent: the usual one. */
  keyExchange?: KeyExchange;
  /** How often programs that can do so sample the transport that they bring along, in whole ms, 1 to 1000; absent: never. */
  sampleMs?: number;
  /** Gives the server of a stack that runs already; absent: there are none. */
  own?(stack: Stack): Promise<Server>;
  /** Told why a server did not start, in place of throwing: the others are handed on. */
  onFailed?(error: ServerError): void;
  signal?: AbortSignal;
}

/**
 * Starts a server of every stack for one site, hands them on, and always stops them.
 * @throws ServerError (port taken, damaged site, no ready line) with the end of the server's log;
 *   MachineError when a stack says that it cannot run on this machine.
 */
export async function withServers<T>(
  options: ServersOptions,
  use: (servers: Server[]) => Promise<T>,
): Promise<T> {
  const stops: (() => Promise<void>)[] = [];
  try {
    const servers = await Promise.all(
      options.stacks.map((stack, index) => {
        const apart = options.apart?.get(stack);
        const sharedPort = options.firstPort === undefined ? 0 : options.firstPort + index;
        const where = {
          addresses: apart ?? options.addresses,
          port: apart ? HTTPS_PORT : sharedPort,
        };
        const own = urlOf(stack) === null ? undefined : options.own;
        const starting = own?.(stack) ?? startServer(stack, where, options, stops);
        return starting.catch((error: Error) => {
          if (!(error instanceof ServerError && options.onFailed)) throw error;
          options.onFailed(error);
          return null;
        });
      }),
    );
    return await use(servers.filter((server) => server !== null));
  } finally {
    await Promise.all(stops.map((stop) => stop()));
  }
}

/** What a name alone means in a URL. */
const HTTPS_PORT = 443;
const LOG_END_LINES = 12;
/** A longer line is cut. */
const LOG_LINE_BYTES = 16_000;
/** Characters of a line in an error. */
const MAX_SHOWN = 200;
const READY_EXPECTED =
  'Its first line on stdout has to be {"ready":true, ...}, as servers/README.md (Contract) says; other lines go to stderr, or come later';
/** A busy server may have to send what it was about to send first. */
const SAMPLES_LIMIT_MS = 5000;
/** Where something that it has left behind keeps its output open, no more of that is waited for. */
const LOG_LIMIT_MS = 5000;

async function startServer(
  stack: Stack,
  { addresses, port }: Pick<ServersOptions, 'addresses'> & { port: number },
  options: ServersOptions,
  stops: (() => Promise<void>)[],
): Promise<Server> {
  const { site, siteFolder, logsFolder } = options;
  const certsFolder = options.certsFolder ?? certificatesFolder;
  const sampleMs = stack.transport?.reportsSamples ? options.sampleMs : undefined;
  const keyExchange = keyExchangeOf(options);
  const cc = quicCongestionControlOf(stack, options);
  const certificates = Object.keys(addresses).flatMap((host) => [`${host}.pem`, `${host}.key`]);
  const lent = await lendCopies(certsFolder, certificates);
  stops.push(lent.remove);
  const told = {
    site: siteFolder,
    certs: lent.folder,
    think: options.thinkTime ?? 'off',
    'sub-resources': options.subResources ?? 'served',
    ...(stack.keyExchanges && { 'key-exchange': keyExchange }),
    ...(cc && { cc }),
    ...(sampleMs !== undefined && { sample: String(sampleMs) }),
    ...(stack.sendsAsSaved && { document: options.document ?? 'recorded' }),
  };
  const listens = Object.entries(addresses).map(([host, address]) => `${host}=${address}:${port}`);
  const [command = '', ...args] = withoutRights(programOf(stack), {
    enter: options.enter,
    reads: [siteFolder, path.join(siteFolder, 'index.json')],
    ...(stack.keeps && { keeps: stack.keeps }),
  });
  const words = [
    ...args,
    ...Object.entries(told).flatMap(([name, value]) => [`--${name}`, value]),
    ...listens.flatMap((listen) => ['--listen', listen]),
  ];
  // A program of the user's own may start others, which would go on to serve or to listen.
  const child = startChild(command, words, { endsDaemons: true });

  const isOneOfSeveral = options.stacks.filter((each) => each.stack === stack.stack).length > 1;
  const logName = [site, stack.stack, ...(isOneOfSeveral ? [cc] : []), 'log'].join('.');
  const logFile = inFolder(logsFolder, logName);
  const log = openLog(logFile);
  const logEnd: string[] = [];
  const keep = (line: string) => {
    log.write(line);
    logEnd.push(line);
    if (logEnd.length > LOG_END_LINES) logEnd.shift();
  };
  const ready = Promise.withResolvers<string>();
  if (!child.process.stdout || !child.process.stderr) throw new Error('server without pipes');
  const listeners = new Set<Listener>([
    ready.resolve,
    (line) => {
      // They are many, and no news of the server.
      if (!isOfSamples(line)) keep(line);
    },
  ]);
  const maxBytes = stack.own ? LINE_BYTES.foreign : LINE_BYTES.own;
  let overflow: string | null = null;
  const followed = eachLine(child.process.stdout, { maxBytes }, (line) => {
    for (const listener of listeners) listener(line);
  }).catch((error) => {
    if (!(error instanceof TooLargeError)) throw error;
    overflow = `printed a line of more than ${bytesText(maxBytes)} and was ended`;
    return child.stop(0);
  });
  const complained = eachLine(
    child.process.stderr,
    { maxBytes: LOG_LINE_BYTES, longer: 'cut' },
    keep,
  );
  // The last lines come after the program's end.
  const written = Promise.all([followed, complained]).then(() => log.end());
  const logged = () => withDeadline(written, LOG_LIMIT_MS, () => {});
  stops.push(async () => {
    await child.stop(DEFAULTS.serverStopMs);
    await logged();
  });

  const failure = (what: string) =>
    new ServerError(
      `The ${stack.label} server for ${site} ${what}. The end of its log (${logFile}):\n` +
        (logEnd.length > 0 ? logEnd.map((line) => `  ${line}`).join('\n') : '  (nothing)'),
      stack.stack,
    );
  let isReady = false;
  const ended = async (): Promise<never> => {
    const end = await child.ended;
    await logged();
    if (end === 127) {
      throw new MachineError(
        `The ${stack.label} server cannot run on this machine: ${logEnd.join(' ')}`,
      );
    }
    if (overflow !== null) throw failure(overflow);
    throw failure(`ended (${end}) ${isReady ? 'while it was needed' : 'before it was ready'}`);
  };
  const limitMs = DEFAULTS.serverReadyMs;
  const late = () => {
    throw failure(`printed no ready line within ${limitMs / 1000} s. ${READY_EXPECTED}`);
  };
  const line = await withDeadline(
    Promise.race([ready.promise, ended()]),
    limitMs,
    late,
    options.signal,
  );
  isReady = true;
  const pid = child.process.pid;
  if (pid === undefined) throw new Error('a server that is ready and has no process');
  const { origins, details } = readReadyLine(line, stack, Object.keys(addresses), failure);
  return {
    stack,
    origins,
    details,
    pid,
    ...(stack.own === undefined && { keyExchange }),
    spkiPins: await Promise.all(Object.keys(addresses).map((host) => spkiPin(host, certsFolder))),
    follow(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    ...(sampleMs !== undefined && {
      transportSamples: () =>
        withDeadline(Promise.race([samplesOf(child, listeners), ended()]), SAMPLES_LIMIT_MS, () => {
          throw failure(`told no samples within ${SAMPLES_LIMIT_MS / 1000} s`);
        }),
    }),
    assertAlive() {
      if (overflow !== null) throw failure(overflow);
      if (child.end !== null) throw failure(`ended (${child.end}) while it was needed`);
    },
  };
}

/** What the transport is to have that a stack's program brings along; undefined: it brings none, or has what it has by itself. */
export function quicCongestionControlOf(
  { transport, settings }: Pick<Stack, 'transport' | 'settings'>,
  { congestionControl }: Pick<ServersOptions, 'congestionControl'>,
): CongestionControl | undefined {
  if (!transport) return undefined;
  return settings?.quicCongestionControl ?? settings?.congestionControl ?? congestionControl;
}

/** What is run for a stack, before the arguments of the contract. */
export function programOf({
  stack,
  protocol,
  runtime,
  program,
  programArguments = [],
  own,
}: Stack): string[] {
  if (own && 'program' in own) return [own.program, '--protocol', protocol];
  if (runtime === undefined) throw new Error(`${stack} has no program to start`);
  return [
    runtime.program,
    ...(program === undefined ? [] : [...(runtime.arguments ?? []), program]),
    ...programArguments,
  ];
}

/** Asks a server for samples on its stdin, and waits for the line with them. */
async function samplesOf(child: Child, listeners: Set<Listener>): Promise<QuicConnection[]> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const listen = (line: string) => {
    if (isOfSamples(line)) resolve(line);
  };
  listeners.add(listen);
  try {
    child.process.stdin?.write('samples\n');
    return (JSON.parse(await promise) as { transport: QuicConnection[] }).transport;
  } finally {
    listeners.delete(listen);
  }
}

type Listener = (line: string) => void;

async function eachLine(output: Readable, limit: LineLimit, take: Listener): Promise<void> {
  for await (const line of textLines(output, limit)) take(line);
}

function isOfSamples(line: string): boolean {
  return line.startsWith('{"transport":');
}

function readReadyLine(
  line: string,
  stack: Stack,
  hosts: readonly string[],
  failure: (what: string) => Error,
): Pick<Server, 'origins' | 'details'> {
  let ready: { ready?: boolean; protocol?: string } & Partial<Pick<Server, 'origins' | 'details'>>;
  try {
    ready = JSON.parse(line);
  } catch {
    throw failure(
      `printed something else than a ready line first: "${line.slice(0, MAX_SHOWN)}". ${READY_EXPECTED}`,
    );
  }
  const { origins = {}, details = {} } = ready;
  if (ready.ready !== true || ready.protocol !== stack.protocol) {
    const said = ready.protocol === undefined ? '' : `, but ${ready.protocol}`;
    throw failure(`printed a ready line that does not say protocol ${stack.protocol}${said}`);
  }
  const missing = hosts.find((host) => !Object.hasOwn(origins, host));
  if (missing) throw failure(`printed a ready line without an address for ${missing}`);
  return { origins, details };
}

/** What a server's error says without the end of its log, which lies beside the records. */
export function firstSentence({ message }: Error): string {
  return (message.split('\n', 1)[0] ?? '').replace(
    / The end of its log \((.*)\):$/,
    ' Its log is $1.',
  );
}
