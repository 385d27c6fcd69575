import { html } from '../../kit/page/markup.ts';
import { claimsSection } from '../claims.ts';
import { ARMS, claims } from './claims.ts';

/** The study's handshakes, transfers and closes, beside those of a run of the preset. */
export const dresdenSection = claimsSection({
  id: 'dresden',
  study: 'TU Dresden 2021',
  presets: ['dresden'],
  about: html`<p>“Benchmarking the QUIC Protocol” sent a message by QUIC (a draft, in an experimental Node.js) and by TCP with TLS 1.3, and found that “TCP+TLS outperforms QUIC”. Its
clocks began at the server: by QUIC with the client’s first packet, by TCP with the accepted connection, when a round trip was over. Its own captures, taken at the client, show when the message
left: <strong>one round trip after the first packet by QUIC, two by TCP and TLS</strong>, as in this run.</p>
<p>“Content transfer” ended where the client said that it has no more to send. When it does is up to the programs: theirs said it a round trip after the message by QUIC and at once by TCP; this
run’s says it with the message by QUIC, and by TCP once the answer is back. The closes “of hundreds of ms” are a timer of 10 s of their runtime, of which the study’s script dropped whole seconds:
9,995 ms became 995, 10,013 became 13.</p>
<p>Published round trips are how much means grew from no added delay to 50 ms, divided by these; those of this run are lines through medians. Programs and machines are others: compare round trips, not
milliseconds.</p>`,
  needs: Object.values(ARMS),
  claims,
});
