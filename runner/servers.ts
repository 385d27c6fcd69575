import path from 'node:path';
import type { Readable } from 'node:stream';
import { certificatesFolder, spkiPin } from '../certs/authority.ts';
import { chainBytes } from '../certs/certificates.ts';
import type { ReadyServer } from '../experiments/measuring.ts';
import type { CongestionControl } from '../ground/records/congestion-control.ts';
import { inFolder } from '../ground/records/file-name.ts';
import { type KeyExchange, keyExchangeOf } from '../ground/records/key-exchange.ts';
import type { QuicConnection } from '../ground/records/quic-sample.ts';
import type { RunChoices } from '../ground/records/run.ts';
import { type Stack, serverStackOf } from '../ground/stack.ts';
import { bytesText, TooLargeError } from '../ground/system/bounded-buffer.ts';
import { LINE_BYTES, type LineLimit, textLines } from '../ground/system/bounded-lines.ts';
import { type Child, startChild } from '../ground/system/child-process.ts';
import { withDeadline } from '../ground/system/deadline.ts';
import { ServerError, UnusableStacksError } from '../ground/system/errors.ts';
import { lendCopies } from '../ground/system/lent-copies.ts';
import { withoutRights } from '../ground/system/unprivileged-user.ts';
import { urlOf } from '../servers/own-stack.ts';
import { DEFAULTS } from './defaults.ts';
import { makeDelayedSite } from './delayed-site.ts';
import { openLog } from './server-log.ts';

/** A server that is ready for requests. */
export interface Server
  extends Pick<ReadyServer, 'live' | 'skipResult' | 'keyExchange' | 'http2Hosts' | 'http2Pids'> {
  stack: Stack;
  /** Host of the site and the server's `ip:port` for it. */
  origins: Record<string, string>;
  /** Fields of its ready line. */
  details: Record<string, string>;
  /** Id of its first process; null: unknown, as on another machine. */
  pid: number | null;
  /** Evidence about a server that was running before; absent: the run started it. */
  shown?: ServerFacts;
  /** Base64 SHA-256 of the public keys of its certificates. */
  spkiPins: string[];
  /** Size of the certificates (DER) of its first host, in bytes; absent: see shown. */
  certificateChainBytes?: number;
  /** PEM file of the authority of its certificates; absent: unknown. */
  authority?: string;
  /** Passes every further line of output to the listener, until the returned function is called. */
  follow(listener: (line: string) => void): () => void;
  /**
   * Samples of its QUIC connections since the last call; absent: sampling is off.
   * @throws ServerError when it does not report them
   */
  transportSamples?(): Promise<QuicConnection[]>;
  /** @throws ServerError when it has ended. */
  assertAlive(): void;
  /**
   * Checks over the path that a server that was running before still answers; absent: its process shows it.
   * @throws ServerError when it does not
   */
  assertAnswers?(): Promise<void>;
}

/** Facts of a server that was running before the run, which has no ready line. */
interface ServerFacts {
  /** Value of its `server` header field; null: no such field. */
  program: string | null;
  /** Size of the certificates that it sent; null: not all of them are known. */
  certificateChainBytes: number | null;
  /** Whether it runs on this machine, whose TCP applies then. */
  isHere: boolean;
}

/** Hosts of servers with their certificates. */
interface ServedHosts {
  /** Host and the IP address at which it is served. */
  addresses: Readonly<Record<string, string>>;
  /** Folder of `<host>.pem` and `<host>.key`. */
  certsFolder?: string | undefined;
}

/** What the servers serve, and their settings. */
export interface ServersOptions extends ServedHosts {
  stacks: readonly Stack[];
  siteFolder: string;
  site: string;
  /** Command prefix that runs a program where those addresses exist. */
  enter: readonly string[];
  logsFolder: string;
  /** PEM file of the authority of these certificates; absent: unknown. */
  authority?: string;
  /** Port of every host for the first stack; the next stack has the next port; absent: any free ports. */
  firstPort?: number;
  /** Stacks with their own addresses, at which they listen on HTTPS_PORT, and maybe certificates; absent: none. */
  apart?: ReadonlyMap<Stack, ServedHosts>;
  /** Whether to delay responses as the recorded server did. */
  thinkTime?: RunChoices['thinkTime'];
  /** Whether anything but the main document is served. */
  subResources?: RunChoices['subResources'];
  /** How the main document is sent, by stacks that support it. */
  document?: RunChoices['document'];
  /** For programs with their own transport whose stacks have no setting; absent: the default. */
  congestionControl?: CongestionControl;
  /** For programs that can select it; absent: their default. */
  keyExchange?: KeyExchange;
  /** Sampling interval of programs that report their transport, in whole ms, 1 to 1000; absent: never. */
  sampleMs?: number;
  /** Has the kernel pace TCP of servers at these addresses; absent: stacks with such a setting do not start. */
  paceTcp?(addresses: readonly string[]): Promise<void>;
  /** Returns the server of a stack that was running before; absent: no such servers. */
  own?(stack: Stack): Promise<Server>;
  /** Called with the reason when a server does not start, instead of throwing: the rest are used. */
  onFailed?(error: ServerError): void;
  signal?: AbortSignal;
}

/**
 * Starts a server of every stack for one site, uses them, and always stops them.
 * @throws ServerError (port taken, damaged site, no ready line) with the end of the server's log;
 *   UnusableStacksError when a stack reports that it cannot run on this machine.
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
        const { addresses, certsFolder } = { ...options, ...apart };
        const where = { addresses, certsFolder, port: apart ? HTTPS_PORT : sharedPort };
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

/** Default port of a URL. */
const HTTPS_PORT = 443;
const LOG_END_LINES = 12;
/** Longer lines are truncated. */
const LOG_LINE_BYTES = 16_000;
/** Characters of a line in an error. */
const MAX_SHOWN = 200;
const READY_EXPECTED =
  'Its first line on stdout has to be {"ready":true, ...}, as servers/README.md (Contract) specifies; other lines go to stderr, or come later';
/** A busy server may have to finish sending first. */
const SAMPLES_LIMIT_MS = 5000;
/** Limit for remaining output, in ms: processes that the server left behind may keep its output open. */
const LOG_LIMIT_MS = 5000;

async function startServer(
  stack: Stack,
  { addresses, port, certsFolder = certificatesFolder }: ServedHosts & { port: number },
  options: ServersOptions,
  stops: (() => Promise<void>)[],
): Promise<Server> {
  const { site, logsFolder, thinkTime = 'off' } = options;
  const { responseDelayMs: delayMs, responseOrder } = stack.settings ?? {};
  const order = responseOrder?.replace(' ', '-');
  const delayed =
    delayMs === undefined
      ? null
      : await makeDelayedSite(options.siteFolder, { delayMs, thinks: thinkTime === 'recorded' });
  if (delayed) stops.push(delayed.remove);
  const siteFolder = delayed?.folder ?? options.siteFolder;
  const sampleMs = stack.transport?.reportsSamples ? options.sampleMs : undefined;
  const keyExchange = keyExchangeOf(options);
  const cc = quicCongestionControlOf(stack, options);
  const hosts = Object.keys(addresses);
  const [firstHost] = hosts;
  const certificates = hosts.flatMap((host) => [`${host}.pem`, `${host}.key`]);
  const lent = await lendCopies(certsFolder, certificates);
  stops.push(lent.remove);
  const values = {
    site: siteFolder,
    certs: lent.folder,
    think: delayed ? 'recorded' : thinkTime,
    'sub-resources': options.subResources ?? 'served',
    ...(stack.keyExchanges && { 'key-exchange': keyExchange }),
    ...(cc && { cc }),
    ...(sampleMs !== undefined && { sample: String(sampleMs) }),
    ...(order && { 'response-order': order }),
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
    ...Object.entries(values).flatMap(([name, value]) => [`--${name}`, value]),
    ...listens.flatMap((listen) => ['--listen', listen]),
  ];
  // A user's own program may start daemons, which would continue to serve.
  const child = startChild(command, words, { endsDaemons: true });

  const isOneOfSeveral = options.stacks.filter((each) => each.stack === stack.stack).length > 1;
  const own = isOneOfSeveral ? [cc, delayMs, order] : [];
  const logName = [site, stack.stack, ...own, 'log'].filter((part) => part !== undefined).join('.');
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
      // Samples are too many for the log, and no messages.
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
  // The last lines arrive after the program's end.
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
      throw new UnusableStacksError(
        [serverStackOf(stack)],
        `its server cannot run on this machine: ${logEnd.join(' ')}`,
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
  const { origins, details } = readReadyLine(line, stack, hosts, failure);
  if (stack.settings?.pacesTcp) {
    if (!options.paceTcp) throw new Error(`no path that paces TCP of ${stack.stack}`);
    await options.paceTcp([...new Set(Object.values(origins))]).catch((error: Error) => {
      throw new ServerError(error.message, stack.stack);
    });
  }
  return {
    stack,
    origins,
    details,
    pid,
    ...(stack.own === undefined && !stack.choosesKeyExchange && { keyExchange }),
    ...(options.authority !== undefined && { authority: options.authority }),
    spkiPins: await Promise.all(hosts.map((host) => spkiPin(host, certsFolder))),
    ...(firstHost !== undefined && {
      certificateChainBytes: await chainBytes(firstHost, certsFolder),
    }),
    follow(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    ...(sampleMs !== undefined && {
      transportSamples: () =>
        withDeadline(Promise.race([samplesOf(child, listeners), ended()]), SAMPLES_LIMIT_MS, () => {
          throw failure(`reported no samples within ${SAMPLES_LIMIT_MS / 1000} s`);
        }),
    }),
    assertAlive() {
      if (overflow !== null) throw failure(overflow);
      if (child.end !== null) throw failure(`ended (${child.end}) while it was needed`);
    },
  };
}

/** The settings of an arm that its server gets at the start, as text; arms with the same text can share a server. */
export function serverSettingsOf(
  stack: Pick<Stack, 'transport' | 'settings'>,
  choices: Pick<ServersOptions, 'congestionControl'>,
): string {
  const { responseDelayMs, responseOrder } = stack.settings ?? {};
  return [quicCongestionControlOf(stack, choices), responseDelayMs, responseOrder].join();
}

/** Congestion control of a stack's own transport; undefined: it has no transport of its own, or uses its default. */
function quicCongestionControlOf(
  { transport, settings }: Pick<Stack, 'transport' | 'settings'>,
  { congestionControl }: Pick<ServersOptions, 'congestionControl'>,
): CongestionControl | undefined {
  if (!transport) return undefined;
  return settings?.quicCongestionControl ?? settings?.congestionControl ?? congestionControl;
}

/** Command of a stack, before the arguments of the contract. */
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
    ...(runtime.installs === undefined ? [] : [runtime.installs]),
    ...programArguments,
  ];
}

/** Requests samples on the server's stdin, and waits for their line. */
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

/** A server's error with the last line of its log, whose rest is kept with the records. */
export function firstSentence({ message }: Error): string {
  const [first = '', ...logEnd] = message.split('\n');
  const last = logEnd.at(-1)?.trim().slice(0, MAX_SHOWN) ?? '';
  return first.replace(
    / The end of its log \((.*)\):$/,
    (_, file: string) => ` Its log is ${file}${last === '' ? '.' : `, and ends with: ${last}`}`,
  );
}
