// Passes WebDriver BiDi messages between standard streams, one a line, and the Firefox at a port of this network namespace:
//
//     node relay-program.ts PORT
//
// The bench's own process is outside of the namespace, and Firefox accepts connections over the loopback device alone.

import { LINE_BYTES, textLines } from '../../ground/system/bounded-lines.ts';

const [, , port] = process.argv;
const socket = new WebSocket(`ws://127.0.0.1:${port}/session`);
socket.onerror = () => process.exit(1);
socket.onclose = () => process.exit(0);
socket.onmessage = ({ data }) => process.stdout.write(`${data}\n`);
socket.onopen = async () => {
  const limit = { maxBytes: LINE_BYTES.foreign };
  for await (const line of textLines(process.stdin, limit)) socket.send(line);
  socket.close();
};
