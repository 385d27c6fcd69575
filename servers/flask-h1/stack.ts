import path from 'node:path';
import { python } from '../../ground/runtimes/python.ts';
import type { Stack } from '../../ground/stack.ts';

export const flaskH1: Stack = {
  stack: 'flask-h1',
  label: 'Flask (http/1.1)',
  protocol: 'http/1.1',
  note: 'HTTP/1.1 with keep-alive over TLS and TCP: Flask under gunicorn, a Python program. It differs from the other stacks in server program and protocol.',
  byDefault: true,
  runtime: python,
  program: path.join(import.meta.dirname, 'server.py'),
};
