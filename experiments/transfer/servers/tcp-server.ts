import * as net from 'node:net';
import { serve } from '../../../servers/bun/contract.ts';
import { socketsProgram } from './sockets-program.ts';
import { plainTcp } from './stack.ts';

await serve(plainTcp, () => socketsProgram('node:net', (_, respond) => net.createServer(respond)));
