import assert from 'node:assert/strict';

/** A packet of a capture. */
export interface CapturedPacket {
  timeNs: bigint;
  /** Sent by the client. */
  outbound: boolean;
  /** With its Ethernet header. */
  frame: Buffer;
  comments: string[];
}

/** Content of a pcapng file of this project. */
export interface ReadCapture {
  program: string;
  comment: string;
  linkType: number;
  resolution: number;
  keyLog: string;
  names: Map<string, string[]>;
  packets: CapturedPacket[];
  /** null: the file ends before them. */
  statistics: { received: bigint; dropped: bigint; comment: string | null } | null;
}

type Option = { code: number; value: Buffer };

/** Reads all blocks of a file, and checks them against the format as far as possible. */
export function readCapture(file: Buffer): ReadCapture {
  const read: ReadCapture = {
    program: '',
    comment: '',
    linkType: -1,
    resolution: -1,
    keyLog: '',
    names: new Map(),
    packets: [],
    statistics: null,
  };
  for (let at = 0; at < file.length; ) {
    const length = file.readUInt32LE(at + 4);
    assert.equal(length % 4, 0);
    assert.equal(file.readUInt32LE(at + length - 4), length, `a block at ${at} has two lengths`);
    readBlock(file.readUInt32LE(at), file.subarray(at + 8, at + length - 4), read);
    at += length;
  }
  return read;
}

function readBlock(type: number, body: Buffer, read: ReadCapture): void {
  switch (type) {
    case 0x0a0d0d0a: {
      assert.equal(body.readUInt32LE(0), 0x1a2b3c4d);
      const options = optionsOf(body.subarray(16));
      read.program = textOf(options, 4) ?? '';
      read.comment = textOf(options, 1) ?? '';
      return;
    }
    case 1: {
      read.linkType = body.readUInt16LE(0);
      const options = optionsOf(body.subarray(8));
      read.resolution = options.find(({ code }) => code === 9)?.value[0] ?? -1;
      return;
    }
    case 4:
      for (const { code, value } of optionsOf(body)) {
        assert.equal(code, 1);
        const names = value.subarray(4).toString().split('\0');
        assert.equal(names.pop(), '');
        read.names.set(value.subarray(0, 4).join('.'), names);
      }
      return;
    case 5: {
      const options = optionsOf(body.subarray(12));
      const count = (wanted: number) =>
        options.find(({ code }) => code === wanted)?.value.readBigUInt64LE() ?? -1n;
      read.statistics = { received: count(4), dropped: count(5), comment: textOf(options, 1) };
      return;
    }
    case 6: {
      const size = body.readUInt32LE(12);
      assert.equal(body.readUInt32LE(16), size);
      const options = optionsOf(body.subarray(20 + size + (-size & 3)));
      const flags = options.find(({ code }) => code === 2)?.value.readUInt32LE();
      assert.ok(flags === 1 || flags === 2);
      const high = BigInt(body.readUInt32LE(4));
      read.packets.push({
        timeNs: (high << 32n) | BigInt(body.readUInt32LE(8)),
        outbound: flags === 2,
        frame: body.subarray(20, 20 + size),
        comments: options.flatMap(({ code, value }) => (code === 1 ? [value.toString()] : [])),
      });
      return;
    }
    case 10:
      assert.equal(body.readUInt32LE(0), 0x544c534b);
      read.keyLog = body.subarray(8, 8 + body.readUInt32LE(4)).toString();
      return;
    default:
      assert.fail(`a block of type ${type}`);
  }
}

function optionsOf(bytes: Buffer): Option[] {
  const options: Option[] = [];
  for (let at = 0; at < bytes.length; ) {
    const code = bytes.readUInt16LE(at);
    const length = bytes.readUInt16LE(at + 2);
    if (code === 0) {
      assert.equal(at + 4, bytes.length, 'nothing follows the end of options');
      return options;
    }
    options.push({ code, value: bytes.subarray(at + 4, at + 4 + length) });
    at += 4 + length + (-length & 3);
  }
  assert.fail('options do not end');
}

function textOf(options: readonly Option[], wanted: number): string | null {
  return options.find(({ code }) => code === wanted)?.value.toString() ?? null;
}
