/** A file of the archive that the guest's kernel unpacks as its first root. */
export interface ArchiveFile {
  name: string;
  content: Buffer | string;
  executable?: boolean;
}

/** Files and their folders, as an archive of the form that Linux unpacks at boot (cpio, "newc"). */
export function initramfs(files: readonly ArchiveFile[]): Buffer {
  const folders = new Set(files.flatMap(({ name }) => parentsOf(name)));
  // A console must exist before init can mount anything.
  const entries = [
    ...[...folders, 'dev'].map((name) => entry(name, 0o040755, Buffer.alloc(0))),
    entry('dev/console', 0o020600, Buffer.alloc(0), { major: 5, minor: 1 }),
    ...files.map(({ name, content, executable }) =>
      entry(name, executable ? 0o100755 : 0o100644, Buffer.from(content)),
    ),
    entry('TRAILER!!!', 0, Buffer.alloc(0)),
  ];
  return Buffer.concat(entries);
}

function parentsOf(name: string): string[] {
  const parts = name.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

let inode = 0;

function entry(
  name: string,
  mode: number,
  content: Buffer,
  device: { major: number; minor: number } = { major: 0, minor: 0 },
): Buffer {
  inode += 1;
  const fields = [
    inode,
    mode,
    0,
    0,
    1,
    0,
    content.length, // owner, group, links, time
    0,
    0,
    device.major,
    device.minor,
    name.length + 1,
    0,
  ];
  const header = `070701${fields.map((field) => field.toString(16).padStart(8, '0')).join('')}`;
  return Buffer.concat([padded(Buffer.from(`${header}${name}\0`)), padded(content)]);
}

function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
}
