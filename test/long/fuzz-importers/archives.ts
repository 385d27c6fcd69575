import { gzipSync } from 'node:zlib';
import type { FuzzExchange } from './exchange.ts';
import { mutated } from './mutation.ts';
import type { Choices } from './random.ts';

/** Real output of a program, in some of the archives; damage is done to either. */
export function orSeed(choices: Choices, seeds: readonly Buffer[], make: () => Buffer): Buffer {
  return choices.chance(20) ? choices.pick(seeds) : make();
}

export function packedOrNot(choices: Choices, content: Buffer): Buffer {
  if (choices.chance(50)) return content;
  const packed = gzipSync(content);
  return choices.chance(20) ? mutated(choices, packed) : packed;
}

function httpMessage(firstLine: string, headers: [string, string][], body: Buffer): Buffer {
  const lines = [firstLine, ...headers.map(([name, value]) => `${name}: ${value}`), '', ''];
  return Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), body]);
}

export function response({ status, headers, body }: FuzzExchange): Buffer {
  return httpMessage(`HTTP/1.1 ${status} OK`, headers, body);
}

export function request({ method, url, requestHeaders }: FuzzExchange): Buffer {
  const { host, target } = partsOf(url);
  return httpMessage(
    `${method} ${target} HTTP/1.1`,
    [['Host', host], ...requestHeaders],
    Buffer.alloc(0),
  );
}

export function partsOf(url: string): { host: string; target: string } {
  const [, host = '', target = ''] = /^[a-z]+:\/\/([^/?#]*)(.*)$/s.exec(url) ?? [];
  return { host, target: target === '' ? '/' : target };
}
