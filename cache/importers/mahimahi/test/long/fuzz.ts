import protobuf from 'protobufjs/minimal.js';
import { partsOf } from '../../../../../test/long/fuzz-importers/archives.ts';
import {
  exchangesOf,
  type FuzzExchange,
} from '../../../../../test/long/fuzz-importers/exchange.ts';
import {
  CANARY_FILE,
  type FuzzInput,
  type FuzzMakers,
} from '../../../../../test/long/fuzz-importers/input.ts';
import { maybeMutated } from '../../../../../test/long/fuzz-importers/mutation.ts';
import type { Choices } from '../../../../../test/long/fuzz-importers/random.ts';

export const FUZZ: FuzzMakers = { mahimahi };

function mahimahi(choices: Choices): FuzzInput {
  const files: FuzzInput['files'] = new Map();
  for (const [index, exchange] of exchangesOf(choices).entries()) {
    const content = maybeMutated(choices, mahimahiRecord(choices, exchange));
    files.set(`a/save.${index}`, content);
  }
  if (choices.chance(10)) files.set('a/save.link', { link: `../${CANARY_FILE}` });
  if (choices.chance(10)) files.set('a/folder/save.x', Buffer.from('a'));
  if (files.size === 0) files.set('a/save.x', choices.bytes(choices.number(50)));
  return { archive: 'a', files };
}

function mahimahiRecord(choices: Choices, exchange: FuzzExchange): Buffer {
  const { host, target } = partsOf(exchange.url);
  const header = ([name, value]: [string, string]) =>
    protobuf.Writer.create()
      .uint32(10)
      .bytes(Buffer.from(name))
      .uint32(18)
      .bytes(Buffer.from(value))
      .finish();
  const message = (firstLine: string, headers: [string, string][], body: Buffer) => {
    const writer = protobuf.Writer.create().uint32(10).bytes(Buffer.from(firstLine));
    for (const each of headers) writer.uint32(18).bytes(header(each));
    return writer.uint32(26).bytes(body).finish();
  };
  const { method, status, headers, requestHeaders, body } = exchange;
  return Buffer.from(
    protobuf.Writer.create()
      .uint32(10)
      .string(choices.pick(['192.0.2.1', '', 'a', '::1']))
      .uint32(16)
      .uint32(443)
      .uint32(24)
      .uint32(choices.pick([1, 2, 3]))
      .uint32(34)
      .bytes(
        message(
          `${method} ${target} HTTP/1.1`,
          [['Host', host], ...requestHeaders],
          Buffer.alloc(0),
        ),
      )
      .uint32(42)
      .bytes(message(`HTTP/1.1 ${status} OK`, headers, body))
      .finish(),
  );
}
