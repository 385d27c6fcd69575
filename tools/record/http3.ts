import {
  type Http3Test,
  type Http3Tests,
  LONGEST_REFUSAL,
  speaksHttp3,
} from '../../cache/http3.ts';
import { hostsOf, type SiteManifest } from '../../cache/manifest.ts';
import type { RecordedExchange } from '../../cache/recording.ts';
import { type HostToProbe, probeHosts } from '../../clients/http3-probe.ts';
import type { Host } from '../../ground/options/hosts.ts';
import { quicHostOf } from '../../ground/records/quic-host.ts';
import { isUsable, readAltSvc } from '../../runner/alt-svc.ts';
import { requestHttpsRecords } from '../probe/name-server.ts';

type Exchange = Pick<RecordedExchange, 'url' | 'headers' | 'serverAddress'>;

/** Limit of a query for HTTPS records. */
const TIMEOUT_MS = 2_000;

const NO_HTTPS = 'it was requested over http alone';

/** Tests every host of a recorded page for HTTP/3: announcements in its responses and in the DNS, and a handshake. */
export async function testHttp3(
  manifest: Pick<SiteManifest, 'url' | 'resources'>,
  exchanges: readonly Exchange[],
  {
    bun,
    signal,
    httpsRecords = requestHttpsRecords,
  }: { bun: string; signal: AbortSignal; httpsRecords?: typeof requestHttpsRecords },
): Promise<Http3Tests> {
  const overHttps = exchanges.filter(({ url }) => URL.parse(url)?.protocol === 'https:');
  // Sites have no ports.
  const byHost = Map.groupBy(overHttps, ({ url }) => new URL(url).hostname);
  const probes = new Map<string, HostToProbe>();
  const found = await Promise.all(
    hostsOf(manifest).map(async (host) => {
      const [first, ...rest] = byHost.get(host) ?? [];
      if (!first) return { host, announcedBy: [], origin: null };
      const origin = quicHostOf(first.url);
      const at: Host = { host, port: Number(origin.slice(origin.lastIndexOf(':') + 1)) };
      const alternative = [first, ...rest]
        .flatMap(alternativesOf)
        .find((each) => isUsable(each, at));
      const address = [first, ...rest].find(({ serverAddress }) => serverAddress)?.serverAddress;
      probes.set(origin, { address, port: alternative?.port });
      const records = await httpsRecords(at, TIMEOUT_MS, signal).catch(() => {
        signal.throwIfAborted();
        return [];
      });
      const announcedBy: Http3Test['announcedBy'] = [
        ...(alternative ? ['alt-svc' as const] : []),
        ...(records.some(({ alpn }) => alpn.includes('h3')) ? ['https-record' as const] : []),
      ];
      return { host, announcedBy, origin };
    }),
  );
  const { withoutQuic } = await probeHosts(probes, bun, signal);
  return Object.fromEntries(
    found.map(({ host, announcedBy, origin }) => {
      const refusal = origin === null ? NO_HTTPS : (withoutQuic[origin] ?? null);
      return [host, { announcedBy, refusal: refusal?.slice(0, LONGEST_REFUSAL) ?? null }];
    }),
  );
}

function alternativesOf({ headers }: Exchange) {
  return headers
    .filter(([name]) => name.toLowerCase() === 'alt-svc')
    .flatMap(([, value]) => readAltSvc(value));
}

/** Which hosts speak HTTP/3 and which do not, with reasons, as one line. */
export function http3Line(tests: Http3Tests): string {
  const all = Object.entries(tests);
  const speaking = all.flatMap(([host, test]) => (speaksHttp3(test) ? [host] : []));
  const rest = all.flatMap(([host, test]) =>
    speaksHttp3(test) ? [] : [`${host} (${test.refusal ?? 'it does not announce HTTP/3'})`],
  );
  return [
    `HTTP/3 is spoken by ${speaking.length} of ${all.length} hosts${speaking.length > 0 ? `: ${speaking.join(', ')}` : ''}.`,
    ...(rest.length > 0 ? [`Not by ${rest.join(', ')}.`] : []),
  ].join(' ');
}
