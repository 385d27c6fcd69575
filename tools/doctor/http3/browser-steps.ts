import { NO_COMMON_VERSION } from '../../../clients/firefox/http3-reasons.ts';
import { PUBLIC_AUTHORITIES_ALONE } from '../../../clients/firefox/preferences.ts';
import type { BrowserKind } from '../../../ground/browser-kind.ts';
import type { OriginAnswers } from './answers.ts';
import { WORDS } from './browser-words.ts';
import { isHttp3, MODES, type Mode, type PageLoads } from './chromium.ts';
import { lackStep, noteStep, okStep, type Step } from './step.ts';

export function machineSteps({ browser, origin, policies, proxy, loads }: OriginAnswers): Step[] {
  const port = BLOCKED_PORT.includes(loads['as-is'].error ?? '')
    ? lackStep('port', 'as-is', {
        found: `${WORDS[browser].name} refuses port ${origin.port}, which belongs to another protocol`,
        remedy: `Let the server listen on another port, such as 443 or 8443; or ${WORDS[browser].allowPort(origin.port)}`,
      })
    : okStep('port', `${origin.port}, which ${WORDS[browser].name} allows`);
  return [port, policyStep(policies), ...proxySteps(proxy, browser)];
}

const BLOCKED_PORT = ['ERR_UNSAFE_PORT', 'NS_ERROR_PORT_ACCESS_NOT_ALLOWED'];

function policyStep(policies: readonly string[]): Step {
  if (policies.length === 0) return okStep('policy', 'QUIC is not forbidden');
  return lackStep('policy', 'forced', {
    found: `a policy or setting of this machine forbids QUIC: ${policies.join(', ')}`,
    remedy: 'Remove it, or contact the administrator of this machine',
  });
}

function proxySteps(proxy: string | null, browser: BrowserKind): Step[] {
  if (proxy === null) return [];
  return [
    lackStep('proxy', 'forced', {
      found: `the environment sets the proxy ${proxy}, and QUIC does not go through it`,
      remedy: `Name the host in no_proxy, or ${WORDS[browser].withoutProxy}`,
    }),
  ];
}

const NAMES: Record<Mode, string> = {
  'as-is': 'as it is',
  accepted: 'key accepted',
  forced: 'QUIC forced',
};

export function browserSteps({ loads }: OriginAnswers): Step[] {
  return MODES.map((way) => {
    const { protocols, error } = loads[way];
    const received = protocols.filter((each) => each !== '').join(', then ');
    if (isHttp3(loads[way])) return okStep(NAMES[way], received);
    const reasons = [error === null ? '' : netErrorText(error), quicText(loads[way])];
    const why = [...new Set(reasons)].filter((reason) => reason !== '').join('; ');
    return noteStep(NAMES[way], [received, why].filter((part) => part !== '').join(': '));
  });
}

const NET_ERRORS: Readonly<Record<string, string>> = {
  ERR_CERT_AUTHORITY_INVALID: 'it rejects the authority of the certificate',
  ERR_CERT_COMMON_NAME_INVALID: 'it rejects the certificate, which is for another name',
  ERR_CERT_DATE_INVALID: 'it rejects the certificate, which is out of date',
  ERR_CERT_WEAK_KEY: 'it rejects the key of the certificate, which is too small',
  ERR_CONNECTION_REFUSED: 'TCP was refused',
  ERR_CONNECTION_RESET: 'the server reset the connection',
  ERR_NAME_NOT_RESOLVED: 'the name has no address',
  ERR_QUIC_HANDSHAKE_FAILED: 'the QUIC handshake failed',
  ERR_QUIC_PROTOCOL_ERROR: 'the QUIC connection failed',
  ERR_SSL_VERSION_OR_CIPHER_MISMATCH:
    'it has no TLS version, cipher or key type in common with the server',
  ERR_TIMED_OUT: 'no answer in time',
  ERR_UNSAFE_PORT: 'it refuses this port',
  MOZILLA_PKIX_ERROR_INADEQUATE_KEY_SIZE:
    'it rejects the key of the certificate, which is too small',
  MOZILLA_PKIX_ERROR_SELF_SIGNED_CERT: 'it rejects the certificate, which is self-signed',
  NS_ERROR_CONNECTION_REFUSED: 'TCP was refused',
  NS_ERROR_NET_RESET: 'the server reset the connection',
  NS_ERROR_NET_TIMEOUT: 'no answer in time',
  NS_ERROR_PORT_ACCESS_NOT_ALLOWED: 'it refuses this port',
  NS_ERROR_UNKNOWN_HOST: 'the name has no address',
  SEC_ERROR_EXPIRED_CERTIFICATE: 'it rejects the certificate, which is out of date',
  SEC_ERROR_UNKNOWN_ISSUER: 'it rejects the authority of the certificate',
  SSL_ERROR_BAD_CERT_DOMAIN: 'it rejects the certificate, which is for another name',
};

/** Keeps the browser's code, which users search for. */
function netErrorText(error: string): string {
  const text = NET_ERRORS[error];
  return text === undefined ? error : `${text} (${error})`;
}

const QUIC_ERRORS: Readonly<Record<string, string>> = {
  QUIC_HANDSHAKE_TIMEOUT: 'no answer over UDP in time',
  QUIC_INVALID_VERSION: 'the server offers no QUIC version that it speaks',
  QUIC_NETWORK_IDLE_TIMEOUT: 'no answer over UDP in time',
  QUIC_PACKET_WRITE_ERROR: 'UDP was refused',
  QUIC_TLS_CERTIFICATE_UNKNOWN: 'it rejects the certificate over QUIC',
  NS_ERROR_NET_HTTP3_PROTOCOL_ERROR: 'the QUIC connection failed',
  NS_ERROR_NET_RESET: 'the QUIC connection failed',
  NS_ERROR_NET_TIMEOUT: 'no answer over UDP in time',
  [NO_COMMON_VERSION]: 'the server offers no QUIC version that it speaks',
  [PUBLIC_AUTHORITIES_ALONE]: 'it left QUIC because of the authority of the certificate',
};

function quicText({ quicEnds: [end], hasQuic }: PageLoads): string {
  if (end === undefined) return hasQuic ? 'QUIC was still connecting' : '';
  if (end.fromServer) return `the server ended QUIC: ${end.details || end.error}`;
  const text = QUIC_ERRORS[end.error];
  if (text !== undefined) return `${text} (${end.error})`;
  return end.details === '' ? netErrorText(end.error) : `${end.error}: ${end.details}`;
}
