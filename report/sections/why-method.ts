import { html, type Markup } from '../page/markup.ts';

/** How page load times are taken apart and what that cannot tell: for the report's section on method. */
export function whyMethod(): Markup {
  return html`<p>What a page load time is made of is read from the load's HAR. Each instant from navigationStart to the end of
the load event belongs to one part, the first of these that applies to any request at that instant:</p>
<ol>
<li><strong>Transfer</strong>: a response is arriving (its headers are there, its last byte is not). The pauses between packets are
part of it, so slow start, pacing and repairs of loss all count here.</li>
<li><strong>Waiting</strong>: a request was sent and nothing of its response is there: a round trip and the server's work.</li>
<li><strong>Set-up</strong>: a connection is being made. Set-up that hides behind other requests is not in it, because it costs no
time of its own.</li>
<li><strong>Rest</strong>: none of these; the browser works or holds its requests back.</li>
</ol>
<p>So the four add up to the page load time, load by load. A HAR cannot tell how much of a wait was the processor's, what
the congestion control allowed, or whether a packet was lost; and it dates requests to the millisecond, so that
differences of a few ms mean nothing. A slow browser makes all four parts longer, the rest most. The model beside them counts
round trips to the first byte of the document: a handshake of one by QUIC, of two by TCP with TLS 1.3, and one for the request.</p>`;
}
