import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainDigest } from '../../exchanges.ts';

// For no bytes at all: the output of sha1sum and sha256sum, and the same in base32 by `base32`.
const SHA1 = 'da39a3ee5e6b4b0d3255bfef95601890afd80709';
const SHA1_BASE32 = '3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ';
const SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const SHA256_BASE32 = '4OYMIQUY7QOBJGX36TEJS35ZEQT24QPEMSNZGTFESWMRW6CSXBKQ====';

test('reads the same digest in base32 and hexadecimal, under either name of its algorithm', () => {
  for (const written of [`sha1:${SHA1_BASE32}`, `SHA-1:${SHA1.toUpperCase()}`]) {
    assert.equal(plainDigest(written), `sha1:${SHA1}`);
  }
  for (const written of [`sha256:${SHA256_BASE32}`, ` sha-256:${SHA256}`]) {
    assert.equal(plainDigest(written), `sha256:${SHA256}`);
  }
});

test('keeps anything but a digest of a known algorithm unchanged', () => {
  for (const written of ['', 'sha1:A', `crc:${SHA1}`, SHA1]) {
    assert.equal(plainDigest(written), written);
  }
});

// It would take minutes to examine a character once for each one before it.
test('searches once a digest that is made to be searched for long', () => {
  const digits = `sha1:${'='.repeat(1_000_000)}a`;
  assert.equal(plainDigest(digits), digits);
});
