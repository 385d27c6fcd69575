import assert from 'node:assert/strict';
import { test } from 'node:test';

interface Machine {
  openTun(): void;
  hasNetem(): boolean;
}

// Set-up has no types: it runs before any type checker is installed.
const { pathNote }: { pathNote(machine: Machine): Promise<string | null> } = await import(
  new URL('../../../setup/path.mjs', import.meta.url).href
);

function refusing(code: string): () => void {
  return () => {
    throw Object.assign(new Error(code), { code });
  };
}

test('reports at once, with the remedy, that the user may not open the TUN device', async () => {
  assert.match(
    (await pathNote({ openTun: refusing('EACCES'), hasNetem: () => false })) ?? '',
    /No benchmark .* \/dev\/net\/tun .*\(EACCES\).*sudo chmod 666 \/dev\/net\/tun/,
  );
  assert.match(
    (await pathNote({ openTun: refusing('ENOENT'), hasNetem: () => false })) ?? '',
    /\(ENOENT\).*modprobe tun.*--device \/dev\/net\/tun/,
  );
});

test('prints nothing if one of the two backends works', async () => {
  assert.equal(await pathNote({ openTun: () => {}, hasNetem: () => false }), null);
  assert.equal(await pathNote({ openTun: refusing('EACCES'), hasNetem: () => true }), null);
});
