import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startChild } from '../../../ground/system/child-process.ts';
import { initramfs } from './initramfs.ts';
import { BedMissing, type GuestKernel } from './kernel.ts';

const QEMU = 'qemu-system-x86_64';

/** A command's end in the guest. */
export interface GuestResult {
  status: number;
  stdout: string;
  /** Output of the kernel and the command's stderr. */
  console: string;
}

/** @throws BedMissing when there is no qemu. */
export function requireQemu(): void {
  try {
    execFileSync(QEMU, ['-version'], { stdio: 'ignore' });
  } catch {
    throw new BedMissing(
      `${QEMU} is missing (on Debian and Ubuntu: apt-get install --no-install-recommends qemu-system-x86)`,
    );
  }
}

/** Boots the kernel over this machine's files (which it cannot change), runs one command there, and ends. */
export async function runInGuest(
  kernel: GuestKernel,
  command: readonly string[],
  { limitMs }: { limitMs: number },
): Promise<GuestResult> {
  const scratch = mkdtempSync(path.join(tmpdir(), 'netem-guest-'));
  const removeScratch = () => rmSync(scratch, { recursive: true, force: true });
  process.once('exit', removeScratch);
  const archive = path.join(scratch, 'initramfs');
  const console = path.join(scratch, 'console');
  writeFileSync(archive, firstRoot(kernel, command));
  // The guest dies with this process, even when it is killed.
  const qemu = startChild('setpriv', [
    '--pdeathsig',
    'KILL',
    QEMU,
    ...qemuArguments(kernel.image, archive, console),
  ]);
  const timer = setTimeout(() => void qemu.stop(0), limitMs);
  try {
    let stdout = '';
    let stderr = '';
    qemu.process.stdout?.on('data', (text) => {
      stdout += text;
    });
    qemu.process.stderr?.on('data', (text) => {
      stderr += text;
    });
    await new Promise((resolve) => qemu.process.once('close', resolve));
    const said = `${readIfThere(console)}${stderr}`;
    const end = /^guest ended: (\d+)\r?\n/m.exec(stdout);
    if (!end) {
      throw new Error(`The guest did not end by itself within ${limitMs} ms:\n${stdout}\n${said}`);
    }
    return { status: Number(end[1]), stdout: stdout.slice(0, end.index), console: said };
  } finally {
    clearTimeout(timer);
    await qemu.stop(0);
    removeScratch();
    process.off('exit', removeScratch);
  }
}

function firstRoot(kernel: GuestKernel, command: readonly string[]): Buffer {
  return initramfs([
    { name: 'init', content: readSibling('init.sh'), executable: true },
    { name: 'run.sh', content: readSibling('run.sh') },
    { name: 'busybox', content: readFileSync(kernel.busybox), executable: true },
    ...kernel.modules.map(({ name, content }) => ({ name: `modules/${name}`, content })),
    { name: 'modules/order', content: kernel.modules.map(({ name }) => `${name}\n`).join('') },
    { name: 'command', content: `exec ${command.map(quoted).join(' ')}\n` },
  ]);
}

function readSibling(name: string): Buffer {
  return readFileSync(path.join(import.meta.dirname, name));
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

function qemuArguments(image: string, archive: string, console: string): string[] {
  return [
    // Not KVM: it may be there and still hang; the processor in software always works.
    '-accel',
    'tcg,thread=multi',
    '-cpu',
    'max',
    '-smp',
    '2',
    '-m',
    '1536',
    '-nodefaults',
    '-no-user-config',
    '-display',
    'none',
    '-no-reboot',
    '-kernel',
    image,
    '-initrd',
    archive,
    '-append',
    'console=ttyS0 quiet panic=-1 mitigations=off',
    '-virtfs',
    'local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap',
    '-serial',
    `file:${console}`,
    '-chardev',
    'stdio,id=output,signal=off',
    '-serial',
    'chardev:output',
  ];
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
