import type { QuicSessionEnd } from '../../../clients/chromium/net-log/refusals.ts';
import type { OriginAnswers } from './answers.ts';
import { isHttp3, MODES, type Mode } from './chromium.ts';
import { lackStep, noteStep, okStep, type Step } from './step.ts';

export function machineSteps({ origin, policies, proxy, loads }: OriginAnswers): Step[] {
  const port =
    loads['as-is'].error === 'ERR_UNSAFE_PORT'
      ? lackStep('port', 'as-is', {
          found: `Chromium refuses port ${origin.port}, which belongs to another protocol`,
          remedy: `Let the server listen on another port, such as 443 or 8443; or start Chromium with --explicitly-allowed-ports=${origin.port}`,
        })
      : okStep('port', `${origin.port}, which Chromium allows`);
  return [port, policyStep(policies), ...proxySteps(proxy)];
}

function policyStep(policies: readonly string[]): Step {
  if (policies.length === 0) return okStep('policy', 'QUIC is not forbidden');
  return lackStep('policy', 'forced', {
    found: `a policy of this machine forbids QUIC: QuicAllowed is false in ${policies.join(', ')}`,
    remedy: 'Remove it there, or contact the administrator of this machine',
  });
}

function proxySteps(proxy: string | null): Step[] {
  if (proxy === null) return [];
  return [
    lackStep('proxy', 'forced', {
      found: `the environment sets the proxy ${proxy}, and QUIC does not go through it`,
      remedy: 'Name the host in no_proxy, or start Chromium with --no-proxy-server',
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
    const reasons = [error === null ? '' : netErrorText(error), quicEndText(loads[way].quicEnds)];
    const why = reasons.filter((reason) => reason !== '').join('; ');
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
};

/** Keeps Chromium's code, which users search for. */
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
};

function quicEndText(ends: readonly QuicSessionEnd[]): string {
  const [end] = ends;
  if (end === undefined) return '';
  if (end.fromServer) return `the server ended QUIC: ${end.details || end.error}`;
  const text = QUIC_ERRORS[end.error];
  return text === undefined ? `${end.error}: ${end.details}` : `${text} (${end.error})`;
}
