import type { Socket } from 'node:net';
import type { EventLog } from '../../../ground/records/event-log.ts';
import { printEvents } from './connection-log.ts';
import { messageReader } from './messages.ts';

/** Tells what happened to a connection once it is closed. */
export function printEventsAtClose(socket: Socket, log: EventLog): void {
  socket.on('error', () => log.mark('error'));
  socket.on('close', () => {
    log.mark('socketClose');
    printEvents(log);
  });
}

/** Sends every message back over a connection. */
export function sendBack(socket: Socket, log: EventLog): void {
  // Else the end of one would wait for an acknowledgement of what is before it (Nagle's algorithm).
  socket.setNoDelay(true);
  const read = messageReader(log, 1, (message, number) => {
    log.mark('sent', number);
    socket.write(message);
  });
  socket.on('data', read);
  socket.on('end', () => log.mark('streamEnd'));
}
