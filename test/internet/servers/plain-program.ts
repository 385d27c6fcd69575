// Run by Node: the name server, everything on TCP, and the rest of UDP besides QUIC.
import { listenHttps } from './https.ts';
import type { PlainConfiguration } from './listener.ts';
import { startNameServer } from './name-server.ts';
import { runProgram } from './program.ts';
import { listenReset, listenSilently } from './raw-tcp.ts';
import { listenWithOtherVersion, takeDatagrams } from './raw-udp.ts';

const TCP = {
  https: listenHttps,
  'https-of-tls1.2': listenHttps,
  'https-of-any-key': listenHttps,
  alert: listenHttps,
  reset: listenReset,
  silence: listenSilently,
};

let questions: readonly unknown[] = [];

await runProgram<PlainConfiguration>(
  async ({ nameServer, names, tcp, udp }) => {
    questions = await startNameServer(nameServer, names);
    for (const listener of tcp) await TCP[listener.behaviour](listener);
    for (const { behaviour, address } of udp) {
      await (behaviour === 'silence' ? takeDatagrams : listenWithOtherVersion)(address);
    }
  },
  () => questions,
);
