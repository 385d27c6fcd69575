import assert from 'node:assert/strict';
import { test } from 'node:test';

interface Machine {
  openTun(): void;
  hasNetem(): boolean;
}

// Set-up has no types: it runs before anything that could check them.
const { pathNote }: { pathNote(machine: Machine): Promise<string | null> } = await import(
  new URL('../../../setup/path.mjs', import.meta.url).href
);

function refusing(code: string): () => void {
  return () => {
    throw Object.assign(new Error(code), { code });
  };
}

test('a user who may not open the TUN device is told so at once, with what to do', async () => {
  assert.match(
    (await pathNote({ openTun: refusing('EACCES'), hasNetem: () => false })) ?? '',
    /No benchmark .* \/dev\/net\/tun .*\(EACCES\).*sudo chmod 666 \/dev\/net\/tun/,
  );
  assert.match(
    (await pathNote({ openTun: refusing('ENOENT'), hasNetem: () => false })) ?? '',
    /\(ENOENT\).*modprobe tun.*--device \/dev\/net\/tun/,
  );
});

test('whoever has one of the two ways to make a path is told nothing', async () => {
  assert.equal(await pathNote({ openTun: () => {}, hasNetem: () => false }), null);
  assert.equal(await pathNote({ openTun: refusing('EACCES'), hasNetem: () => true }), null);
});
