import { html } from '../../kit/page/markup.ts';
import { countText } from '../../kit/text/number.ts';
import { median } from '../../statistics/median.ts';
import { claimsSection } from '../claims.ts';
import { ARMS, claims } from './claims.ts';
import { publishedErrors, publishedQuicConnections, publishedTcpConnection } from './published.ts';

export const dagataSection = claimsSection({
  id: 'dagata',
  study: 'D’Agata 2024',
  presets: ['dagata'],
  about: () => {
    const { attempts, successes, called, normal } = publishedErrors();
    const { ACK: ack, ClientHello: clientHello } = publishedTcpConnection();
    const logs = publishedQuicConnections();
    const share = median(
      logs.map(({ negotiationMs, beforeDataMs }) => negotiationMs / beforeDataMs),
    );
    return html`<p>The study requested a page from 1,000 hosts over QUIC and over TCP. QUIC was faster from a home network, and slower from a university’s server. The two durations have different
ends: over TCP “data transfer” begins with the ClientHello, before the TLS handshake; over QUIC it begins after the handshake. TCP still lost from the home network,
because curl did other work between the handshakes: ${clientHello - ack} of ${clientHello} ms in the connection that the study prints.</p>
<p>QUIC lost time as well: quiche’s client first offered a version that no server has. So each of the ${logs.length} published logs that were read begins with a round trip of Version Negotiation, in the median ${Math.round(100 * (share ?? 0))} % of the time before
data. Of ${countText(attempts.quic - successes.quic)} failed attempts at most ${called - normal} have a reason; the rest had no answer for a second. This run has neither problem: both ends agree on a version, and one client uses both protocols.</p>`;
  },
  needs: Object.values(ARMS),
  claims,
});
