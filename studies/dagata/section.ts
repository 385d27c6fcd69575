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
    return html`<p>The study asked 1,000 hosts for a page by QUIC and by TCP, and found QUIC faster from a home network and slower from a university’s server. Its two sides end at
different places: by TCP “data transfer” begins with the ClientHello, before TLS has begun; by QUIC when the handshake is over. From the home network TCP lost in spite of that:
curl did something of its own between the handshakes, for ${clientHello - ack} of ${clientHello} ms in the connection that is printed.</p>
<p>QUIC lost time as well: quiche’s client first named a version that no server has, so that each of the published logs that were read begins with a round trip of Version Negotiation, ${Math.round(100 * (share ?? 0))} % of the time before data in the median of the ${logs.length} published
logs that were read. Of ${countText(attempts.quic - successes.quic)} attempts that failed, at most ${called - normal} were told why; the others were silence for a second. This run has neither: both ends agree on a version, and it has one client for both protocols.</p>`;
  },
  needs: Object.values(ARMS),
  claims,
});
