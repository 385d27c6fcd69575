import path from 'node:path';
import { python } from '../../ground/runtimes/python.ts';
import type { Stack } from '../../ground/stack.ts';

/** Flask under its development server, as the comparison of 2018 had it. */
const flaskDev: Stack = {
  stack: 'flask-dev',
  label: 'Flask development server (http/1.0)',
  protocol: 'http/1.0',
  note: 'HTTP/1.0 over TLS and TCP: Flask under its own development server, which is not meant for more than trying things out. A new connection with a full handshake for every request.',
  byDefault: false,
  runtime: python,
  program: path.join(import.meta.dirname, 'server.py'),
  sendsAsSaved: true,
  lacksTickets: true,
};

const flaskDevH1: Stack = {
  ...flaskDev,
  stack: 'flask-dev-h1',
  label: 'Flask development server (http/1.1)',
  protocol: 'http/1.1',
  note: 'The same development server with HTTP/1.1, which keeps its connections open.',
  programArguments: ['--http', '1.1'],
};

export const flaskDevStacks = [flaskDev, flaskDevH1] as const;
