import type { Socket } from 'node:net';
import type { EventLog } from '../../../ground/records/event-log.ts';
import { printEvents } from './connection-log.ts';
import { messageReader } from './messages.ts';

export function printEventsAtClose(socket: Socket, log: EventLog): void {
  socket.on('error', () => log.mark('error'));
  socket.on('close', () => {
    log.mark('socketClose');
    printEvents(log);
  });
}

export function sendBack(socket: Socket, log: EventLog): void {
  // Nagle's algorithm would delay the end of a message until the rest is acknowledged.
  socket.setNoDelay(true);
  const read = messageReader(log, 1, (message, number) => {
    log.mark('sent', number);
    socket.write(message);
  });
  socket.on('data', read);
  socket.on('end', () => log.mark('streamEnd'));
}
