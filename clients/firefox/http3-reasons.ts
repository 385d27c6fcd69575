import type { QuicSessionEnd, Refusals, Verification } from '../refusals.ts';
import { ERROR_NAME } from './har/words.ts';
import { PUBLIC_AUTHORITIES_ALONE } from './preferences.ts';

/** Result of one request in Firefox. */
export interface FirefoxAnswer {
  /** h3, h2, http/1.1; empty without a response. */
  protocol: string;
  /** Firefox's name, such as NS_ERROR_CONNECTION_REFUSED or SEC_ERROR_UNKNOWN_ISSUER; null: it has a response. */
  error: string | null;
  /** null: no certificate was received. */
  verification: Verification | null;
}

/** JavaScript that requests a page, follows no redirect and drops the body. The result is a FirefoxAnswer. */
export function requestExpression(url: string): string {
  return `new Promise((resolve) => {
    const errorOf = (code) => ${errorName('code')};
    const { SEC_ALLOW_CROSS_ORIGIN_SEC_CONTEXT_IS_NULL: free } = Ci.nsILoadInfo;
    const { LOAD_BYPASS_CACHE, INHIBIT_CACHING } = Ci.nsIRequest;
    const system = Services.scriptSecurityManager.getSystemPrincipal();
    const channel = Services.io
      .newChannel(${JSON.stringify(url)}, null, null, null, system, null, free, Ci.nsIContentPolicy.TYPE_DOCUMENT)
      .QueryInterface(Ci.nsIHttpChannel)
      .QueryInterface(Ci.nsIHttpChannelInternal);
    channel.loadFlags |= LOAD_BYPASS_CACHE | INHIBIT_CACHING;
    channel.redirectMode = channel.REDIRECT_MODE_MANUAL;
    const verificationOf = (info) => info?.serverCert ? {
      error: info.errorCodeString,
      problems: info.overridableErrorCategory === info.ERROR_TRUST ? ['AUTHORITY_INVALID'] : [],
      isKnownRoot: info.isBuiltCertChainRootBuiltInRoot,
      chain: info.handshakeCertificates.map((each) =>
        '-----BEGIN CERTIFICATE-----\\n' + each.getBase64DERString() + '\\n-----END CERTIFICATE-----\\n'),
    } : null;
    const answer = () => {
      let protocol = '';
      // An error without a response.
      try { protocol = channel.protocolVersion; } catch {}
      const verification = verificationOf(channel.securityInfo);
      resolve({ protocol, error: protocol ? null : errorOf(channel.status), verification });
      if (protocol) channel.cancel(Cr.NS_BINDING_ABORTED);
    };
    const listener = { onStartRequest: answer, onDataAvailable() {}, onStopRequest() {} };
    try {
      channel.asyncOpen(listener);
    } catch ({ result }) {
      resolve({ protocol: '', error: errorOf(result), verification: null });
    }
  })`;
}

/** JavaScript that names an error: NS_ERROR_NET_TIMEOUT, and SEC_ERROR_UNKNOWN_ISSUER, whose full name contains it. */
export function errorName(code: string | number): string {
  return `ChromeUtils.getXPCOMErrorName(${code}).match(${ERROR_NAME})[1]`;
}

/** JavaScript that starts the log which readHttp3Log() reads, as `FILE-main.PID.moz_log`. */
export function logExpression(file: string): string {
  return `(() => {
    Services.prefs.setIntPref('logging.nsHttp', 5);
    Services.prefs.setIntPref('logging.neqo_transport::*', 3);
    Services.prefs.setBoolPref('logging.config.sync', true);
    Services.prefs.setCharPref('logging.config.LOG_FILE', ${JSON.stringify(file)});
  })()`;
}

/** JavaScript that names the preferences by which Firefox never uses HTTP/3, with their values. */
export const FORBIDDING = `[
  Services.prefs.getBoolPref('network.http.http3.enable') ? [] : 'network.http.http3.enable is false',
  Services.prefs.getIntPref('security.tls.version.max') < 4 ? 'security.tls.version.max is below 4' : [],
].flat()`;

/** A line of the thread that has Firefox's connections. */
const LINE = /^\[Parent \d+: Socket Thread\]: \w\/(\S+) (.*)$/;

/**
 * Reads why QUIC sessions with a host ended, in order.
 * @param lines of a log, possibly truncated
 * @param nameOf name of an error of Firefox
 */
export async function readHttp3Log(
  lines: AsyncIterable<string> | Iterable<string>,
  host: string,
  nameOf: (code: number) => Promise<string>,
): Promise<Pick<Refusals, 'quicEnds' | 'hasQuic'>> {
  const open = new Set<string>();
  const quicEnds: QuicSessionEnd[] = [];
  let session = '';
  for await (const line of lines) {
    const [, module = '', text = ''] = LINE.exec(line) ?? [];
    const isOfSession = module === 'nsHttp' && text.startsWith('Http3Session::');
    // The lines of neqo do not name their session.
    if (isOfSession) session = /\[?\bthis=([0-9a-f]+)/.exec(text)?.[1] ?? session;
    const origin = isOfSession ? /^\S+ origin=([^,]*),/.exec(text)?.[1] : undefined;
    if (origin === host) open.add(session);
    else if (origin !== undefined) open.delete(session);
    if (!open.has(session)) continue;
    const end = isOfSession ? await ownEnd(text, nameOf) : neqoEnd(module, text);
    if (end === null) continue;
    // What follows is a consequence.
    open.delete(session);
    quicEnds.push(end);
  }
  return { quicEnds, hasQuic: open.size > 0 };
}

async function ownEnd(
  text: string,
  nameOf: (code: number) => Promise<string>,
): Promise<QuicSessionEnd | null> {
  if (/::Authenticated .*hasThirdPartyRoots=1/.test(text)) {
    return { error: PUBLIC_AUTHORITIES_ALONE, details: '', fromServer: false };
  }
  const code =
    /::(?:Authenticated psm-error=0x|ProcessEvents - ConnectionClosed error=)([0-9a-f]+)/;
  const [, number] = code.exec(text) ?? [];
  if (number === undefined) return null;
  return { error: await nameOf(Number.parseInt(number, 16)), details: '', fromServer: false };
}

function neqoEnd(module: string, text: string): QuicSessionEnd | null {
  if (!module.startsWith('neqo_transport')) return null;
  const [, error, details = ''] =
    /\] ConnectionClose received\. Error code: (\S+) frame type \S+ reason (.*)$/.exec(text) ?? [];
  if (error !== undefined) return { error, details, fromServer: true };
  if (!/\] Version negotiation: failed with/.test(text)) return null;
  return { error: NO_COMMON_VERSION, details: '', fromServer: false };
}

/** Of neqo, Firefox's QUIC. */
export const NO_COMMON_VERSION = 'VersionNegotiation';
