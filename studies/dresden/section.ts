import { html } from '../../kit/page/markup.ts';
import { claimsSection } from '../claims.ts';
import { ARMS, claims } from './claims.ts';

export const dresdenSection = claimsSection({
  id: 'dresden',
  study: 'TU Dresden 2021',
  presets: ['dresden'],
  about: html`<p>“Benchmarking the QUIC Protocol” sent a message over QUIC (a draft, in an experimental Node.js) and over TCP with TLS 1.3, and found that “TCP+TLS outperforms QUIC”. Its
clocks started at the server: over QUIC with the client’s first packet, over TCP with the accepted connection, one round trip later. Its own captures at the client show when the message
left: <strong>one round trip after the first packet over QUIC, two over TCP and TLS</strong>, as in this run.</p>
<p>“Content transfer” ended when the client announced that it has no more data. The program decides when: theirs did so one round trip after the message over QUIC, and at once over TCP. This run’s
programs do so with the message over QUIC, and over TCP after the answer. The closes “of hundreds of ms” are a timer of 10 s of their runtime, of which the study’s script dropped whole seconds:
9,995 ms became 995, 10,013 became 13.</p>
<p>Published round trips are the growth of means from no added delay to 50 ms, divided by 50 ms; those of this run are slopes of lines through medians. Programs and machines differ: compare round
trips, not milliseconds.</p>`,
  needs: Object.values(ARMS),
  claims,
});
