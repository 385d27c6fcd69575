import { test } from 'node:test';
import { assertPostQuantum } from '../../../../test/e2e/key-exchange-run.ts';

const WORDS = 'sockets --stacks socket-quic,socket-tls';

test(`every connection of \`${WORDS}\` has the key exchange asked for`, () =>
  assertPostQuantum(WORDS));
