import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseKeyExchange } from '../../../../runner/key-exchange.ts';
import { lsquicH3 } from '../../../../servers/lsquic-h3/stack.ts';
import { aioquic } from '../../client.ts';

test('rejects a key exchange that aioquic lacks, with the clients that have it', () => {
  assert.throws(
    () =>
      chooseKeyExchange({ 'key-exchange': 'x25519mlkem768', tls: '1.3' }, [lsquicH3], aioquic.name),
    { name: 'UsageError', message: /aioquic offers x25519 alone\. Use --client bun\b/ },
  );
});
