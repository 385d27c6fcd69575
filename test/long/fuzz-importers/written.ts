import { gzipSync } from 'node:zlib';
import { maybeMutated } from './mutation.ts';
import type { Choices } from './random.ts';

/** A text as bytes, perhaps damaged, and in one of the encodings of editors. */
export function written(choices: Choices, content: string): Buffer {
  const bytes = maybeMutated(choices, Buffer.from(content));
  if (choices.chance(75)) return bytes;
  return choices.pick<() => Buffer>([
    () => Buffer.concat([Buffer.from('efbbbf', 'hex'), bytes]),
    () => Buffer.from(`\ufeff${content}`, 'utf16le'),
    () => Buffer.from(`\ufeff${content}x`, 'utf16le').swap16(),
    () => Buffer.concat([Buffer.from('feff', 'hex'), bytes]),
    () => gzipSync(bytes),
  ])();
}
