import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import {
  CONGESTION_CONTROLS,
  type CongestionControl,
  DEFAULT_CONGESTION_CONTROL,
} from '../../ground/records/congestion-control.ts';
import {
  DEFAULT_KEY_EXCHANGE,
  KEY_EXCHANGES,
  type KeyExchange,
} from '../../ground/records/key-exchange.ts';
import type { QuicConnection } from '../../ground/records/quic-sample.ts';
import { type Stack, usualCongestionControl } from '../../ground/stack.ts';
import { SUB_RESOURCES, type SubResources } from '../replay/replay.ts';
import {
  openSite,
  type RecordedResponse,
  type RecordedSite,
  THINK_MODES,
  type Think,
} from './recorded-site.ts';

/** A listening address and certificate of a host, or of several hosts that share them. */
export interface Listener {
  hosts: readonly [string, ...string[]];
  ip: string;
  /** 0: any free port. */
  port: number;
  /** PEM. */
  certificate: string;
  /** PEM, PKCS#8. */
  key: string;
}

/** Matches a request, writes its line into the access log, and returns the response. */
export type Answer = RecordedSite;

/** Settings of a program's connections, as far as it controls them. */
export interface TransportSettings {
  keyExchange: KeyExchange;
  congestionControl: CongestionControl;
  /** Sampling interval of its connections; null: not sampled. */
  sampleMs: number | null;
  /** Order of pending bodies; null: as the program's usual library orders them. */
  responseOrder: (typeof RESPONSE_ORDERS)[number] | null;
}

/** A stack's own part of the contract. */
export interface Program {
  /** Called when the program listens, with the address of each host. */
  details(origins: Readonly<Record<string, string>>): Promise<Record<string, string>>;
  /** Samples of its connections since the last call; absent: it uses the kernel's transport. */
  samples?(): QuicConnection[];
  /** Listens on one address and returns the port bound. */
  listen(listener: Listener, answer: Answer): Promise<number>;
}

/** Runs a stack's program by the contract in servers/README.md until SIGTERM. */
export async function serve(
  {
    stack,
    protocol,
    keyExchanges,
    transport,
    selectableOrder,
  }: Pick<Stack, 'stack' | 'protocol' | SelectableField>,
  programOf: (settings: TransportSettings) => Program,
): Promise<void> {
  // Set first, so that a signal during the start is handled too.
  process.on('SIGTERM', () => process.exit(0));
  const stdin = createInterface(process.stdin).on('close', () => process.exit(0));
  try {
    const { siteFolder, listeners, settings, ...modes } = readArguments({
      keyExchanges,
      transport,
      selectableOrder,
    });
    const program = programOf(settings);
    stdin.on('line', (line) => {
      if (line === 'samples') print({ transport: program.samples?.() ?? [] });
    });
    const answer = withAccessLog(await openSite(siteFolder, modes));
    const origins: Record<string, string> = Object.create(null);
    for (const listener of listeners) {
      const port = await program.listen(listener, answer).catch((error: Error) => {
        throw new Error(
          `cannot listen on ${listener.ip}:${listener.port} for ${listener.hosts.join(', ')}: ${error.message}`,
        );
      });
      for (const host of listener.hosts) origins[host] = `${listener.ip}:${port}`;
    }
    const details = {
      ...(await program.details(origins)),
      ...(transport && { congestionControl: settings.congestionControl }),
    };
    print({ ready: true, stack, protocol, origins, details });
  } catch (error) {
    console.error(`${stack}: ${(error as Error).message}`);
    process.exit(1);
  }
}

interface Arguments {
  siteFolder: string;
  think: Think;
  subResources: SubResources;
  listeners: Listener[];
  settings: TransportSettings;
}

/** Fields of a stack that say which arguments its program takes. */
type SelectableField = 'keyExchanges' | 'transport' | 'selectableOrder';

const RESPONSE_ORDERS = ['by-priority', 'interleaved'] as const;

function readArguments({
  keyExchanges,
  transport,
  selectableOrder,
}: Pick<Stack, SelectableField>): Arguments {
  const { values } = parseArgs({
    options: {
      site: { type: 'string' },
      certs: { type: 'string' },
      listen: { type: 'string', multiple: true },
      think: { type: 'string', default: 'off' },
      'sub-resources': { type: 'string', default: 'served' },
      ...(keyExchanges && { 'key-exchange': { type: 'string' } }),
      ...(transport && { cc: { type: 'string' } }),
      ...(transport?.reportsSamples && { sample: { type: 'string' } }),
      ...(selectableOrder && { 'response-order': { type: 'string' } }),
    },
  });
  const { site, certs, listen } = values;
  const order = values['response-order'] as string | undefined;
  if (!site || !certs || !listen) throw new Error('--site, --certs and --listen are needed');
  return {
    siteFolder: site,
    think: oneOf(THINK_MODES, 'think', values.think),
    subResources: oneOf(SUB_RESOURCES, 'sub-resources', values['sub-resources']),
    listeners: listenersOf(listen, certs),
    settings: {
      keyExchange: oneOf(
        keyExchanges ?? KEY_EXCHANGES,
        'key-exchange',
        (values['key-exchange'] as string | undefined) ?? DEFAULT_KEY_EXCHANGE,
      ),
      congestionControl: oneOf(
        transport?.congestionControls ?? CONGESTION_CONTROLS,
        'cc',
        (values.cc as string | undefined) ??
          (transport ? usualCongestionControl(transport) : DEFAULT_CONGESTION_CONTROL),
      ),
      sampleMs: sampleMsOf(values.sample as string | undefined),
      responseOrder: order === undefined ? null : oneOf(RESPONSE_ORDERS, 'response-order', order),
    },
  };
}

function oneOf<T extends string>(modes: readonly T[], name: string, text: string): T {
  const mode = modes.find((each) => each === text);
  if (!mode) throw new Error(`--${name} ${text}: expected ${modes.join(' or ')}`);
  return mode;
}

function sampleMsOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  const ms = Number(text);
  if (Number.isInteger(ms) && ms >= 1 && ms <= 1000) return ms;
  throw new Error(`--sample ${text}: expected whole ms, 1 to 1000`);
}

/** One listener per address: hosts with the same address share it, except with port 0, which stands for any free port. */
function listenersOf(texts: readonly string[], certs: string): Listener[] {
  const read = (file: string) => readFileSync(path.join(certs, file), 'utf8');
  const addresses = texts.map((text, index) => {
    const [, host, ip, port] = /^([^=]+)=([^:]+):(\d+)$/.exec(text) ?? [];
    if (!host || !ip || !port) throw new Error(`--listen ${text}: expected HOST=IP:PORT`);
    return { host, ip, port: Number(port), shared: port === '0' ? index : `${ip}:${port}` };
  });
  return [...Map.groupBy(addresses, ({ shared }) => shared).values()].map((group) => {
    const [{ host, ip, port }, ...rest] = group as [(typeof group)[0], ...typeof group];
    const certificate = read(`${host}.pem`);
    for (const other of rest) {
      if (read(`${other.host}.pem`) === certificate) continue;
      throw new Error(
        `--listen ${other.host}=${ip}:${port}: shares its address with ${host}, so ${other.host}.pem has to be the same as ${host}.pem in ${certs}`,
      );
    }
    const hosts: Listener['hosts'] = [host, ...rest.map((other) => other.host)];
    return { hosts, ip, port, certificate, key: read(`${host}.key`) };
  });
}

function withAccessLog(site: RecordedSite): Answer {
  return async (request, isGone): Promise<RecordedResponse> => {
    const response = await site(request, isGone);
    const { status, match, recordedUrl, bytes } = response;
    const { method, host, path: requested, received } = request;
    print({
      host,
      method,
      path: requested,
      status,
      bytes,
      received,
      match,
      ...(match === 'query' && { recorded: recordedUrl }),
    });
    return response;
  };
}

function print(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
