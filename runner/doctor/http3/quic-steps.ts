import type { OriginAnswers, ServerAnswers } from './answers.ts';
import { fine, lacking, noted, type Step } from './step.ts';

/** The only one that Chromium 156 offers. */
const VERSION = '1';
const NO_PROTOCOL = ['no_application_protocol', 'alpn'];

/** What was found on the way to the server over UDP; it ends with the first step that nobody comes beyond. */
export function quicSteps({ server }: OriginAnswers): Step[] {
  if (server === null) return [];
  const steps: Step[] = [];
  for (const step of [udp, version, handshake, answer]) {
    const found = step(server);
    if (found !== null) steps.push(found);
    if (found?.status === 'lack') break;
  }
  return steps;
}

function udp({ address, quicPort, versions, http3 }: ServerAnswers): Step {
  const place = `UDP port ${quicPort} of ${address}`;
  const failure = http3.failure?.layer === 'udp' ? http3.failure : null;
  if (versions.failure === null || failure === null) return fine('UDP', `${place} answers`);
  switch (versions.failure.code) {
    case 'ECONNREFUSED':
      return lacking('UDP', 'forced', {
        found: `${place} is refused (ICMP port unreachable): no program listens for QUIC there`,
        remedy: `Switch HTTP/3 on in the server, on UDP port ${quicPort}; there, ss -uln shows who listens`,
      });
    case 'EPERM':
    case 'EACCES':
      return lacking('UDP', 'forced', {
        found: `this machine does not let datagrams out to ${place} (${versions.failure.code})`,
        remedy:
          'Look for a rule about outgoing UDP in the firewall of this machine (nft list ruleset)',
      });
    default:
      return lacking('UDP', 'forced', {
        found: `${place} does not answer: ${versions.failure.reason}. Nothing listens there, or a firewall drops UDP`,
        remedy: `Open UDP port ${quicPort} in every firewall on the way (nft list ruleset on the server, security groups of its cloud), and see with ss -uln whether the server listens there`,
      });
  }
}

function version({ versions, http3 }: ServerAnswers): Step | null {
  if (versions.value === null) {
    if (http3.failure?.code === 'VERSION_NEGOTIATION') return otherVersions([]);
    return http3.value && fine('QUIC version', http3.value.quicVersion ?? VERSION);
  }
  // One that was spoken is one, whatever the list says.
  if (versions.value.includes(VERSION) || http3.value !== null) {
    return fine('QUIC version', versions.value.join(', '));
  }
  return otherVersions(versions.value);
}

function otherVersions(versions: readonly string[]): Step {
  return lacking('QUIC version', 'forced', {
    found: `the server offers ${versions.join(', ') || 'no version that has a name'}, and Chromium speaks version ${VERSION} alone`,
    remedy: `Let the server speak QUIC version ${VERSION} (RFC 9000): an old one may need an update`,
  });
}

function handshake({ http3: { value, failure } }: ServerAnswers): Step | null {
  if (value !== null || failure?.layer === 'http') {
    return fine(
      'QUIC handshake',
      ['h3', value?.tlsVersion, value?.cipher].filter(Boolean).join(', '),
    );
  }
  if (failure.layer === 'client') return noted('QUIC handshake', failure.reason);
  if (NO_PROTOCOL.includes(failure.code)) {
    return lacking('QUIC handshake', 'forced', {
      found: `the server speaks QUIC but not h3 (ALPN): ${failure.reason}`,
      remedy: 'Add h3 to the protocols (ALPN) that the server offers over QUIC',
    });
  }
  return lacking('QUIC handshake', 'forced', {
    found: failure.reason,
    remedy: 'Look for this handshake in the log of the server',
  });
}

function answer({ http3: { value, failure } }: ServerAnswers): Step | null {
  if (value !== null) return fine('answer over h3', `status ${value.status}`);
  if (failure?.layer !== 'http') return null;
  return lacking('answer over h3', 'forced', {
    found: `no answer over HTTP/3: ${failure.reason}`,
    remedy: 'Look for this request in the log of the server',
  });
}
