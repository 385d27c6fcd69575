import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

// Server of client.ts: each connection requests a number of bytes, or the number of received
// datagrams.

const [address = process.env.SERVER_ADDRESS] = process.argv.slice(2);
let datagrams = 0;
const counter = createSocket('udp4', () => {
  datagrams++;
});
counter.bind(8001, address);
createServer((socket) => {
  socket.on('error', () => {});
  socket.once('data', (data) => {
    const bytes = Number(data);
    socket.end(bytes > 0 ? Buffer.alloc(bytes) : `${datagrams}`);
  });
}).listen(8000, address);
