import { Writable } from 'node:stream';
import type { WriteStream } from 'node:tty';
import { printable } from '../../ground/system/printed.mjs';

type Output = Pick<WriteStream, 'write'> & { isTTY?: boolean };

/** Writes a body: its bytes to a file or pipe, and text that does not steer it to a terminal. */
export function bodyOutput<T extends Output & Writable>(output: T): Writable {
  if (!output.isTTY) return output;
  const decoder = new TextDecoder();
  return new Writable({
    write(piece, _, done) {
      output.write(bodyText(decoder.decode(piece, { stream: true })), (error) => done(error));
    },
  });
}

/** Line feeds and tabs are a body's own. */
function bodyText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .split(/([\n\t])/)
    .map((part) => (part === '\n' || part === '\t' ? part : printable(part)))
    .join('');
}
