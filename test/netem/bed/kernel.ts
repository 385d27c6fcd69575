import { execFile } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { projectFolder } from '../../../ground/system/folders.mjs';
import { type KernelModule, modulesInLoadOrder } from './modules.ts';

/** The newest generic kernel of the distribution; it has netem, as most machines' kernels do. */
const KERNEL = 'linux-image-amd64';
const BUSYBOX = 'busybox-static';

/** Modules for the guest that not every kernel has built in. */
const MODULES = [
  'virtio_pci',
  '9pnet_virtio',
  '9p',
  'overlay',
  'veth',
  'tun',
  'sch_netem',
  'sch_tbf',
  'sch_ingress',
  'cls_u32',
  'act_gact',
  'act_police',
];

/** A kernel and a first program for the guest, as files. */
export interface GuestKernel {
  release: string;
  image: string;
  busybox: string;
  modules: KernelModule[];
}

/** A requirement of the bed is not on this machine and could not be fetched. */
export class BedMissing extends Error {
  override name = 'BedMissing';
}

/** The distribution's kernel from its package, unpacked below .setup/ once and never installed. */
export async function guestKernel(): Promise<GuestKernel> {
  const folder = path.join(projectFolder, '.setup', 'guest-kernel');
  if (!hasWanted(folder)) await fetchKernel(folder);
  const modules = readdirSync(path.join(folder, 'modules')).sort();
  return {
    release: readFileSync(path.join(folder, 'release'), 'utf8'),
    image: path.join(folder, 'vmlinuz'),
    busybox: path.join(folder, 'busybox'),
    modules: modules.map((name) => ({
      name,
      content: readFileSync(path.join(folder, 'modules', name)),
    })),
  };
}

/** Whether a fetched kernel for these modules is there. */
function hasWanted(folder: string): boolean {
  const wanted = path.join(folder, 'wanted');
  return existsSync(wanted) && readFileSync(wanted, 'utf8') === MODULES.join('\n');
}

async function fetchKernel(folder: string): Promise<void> {
  mkdirSync(path.dirname(folder), { recursive: true });
  const scratch = mkdtempSync(`${folder}-new-`);
  try {
    const kernelFiles = await unpackPackage(await currentKernel(), scratch);
    const busyboxFiles = await unpackPackage(BUSYBOX, scratch);
    const [image = ''] = globSync(path.join(kernelFiles, 'boot', 'vmlinuz-*'));
    const modules = modulesInLoadOrder(MODULES, globSync(path.join(kernelFiles, '**', '*.ko*')));

    const result = path.join(scratch, 'result');
    mkdirSync(path.join(result, 'modules'), { recursive: true });
    writeFileSync(path.join(result, 'release'), path.basename(image).replace('vmlinuz-', ''));
    writeFileSync(path.join(result, 'wanted'), MODULES.join('\n'));
    copyFileSync(image, path.join(result, 'vmlinuz'));
    copyFileSync(path.join(busyboxFiles, 'bin', 'busybox'), path.join(result, 'busybox'));
    for (const [index, { name, content }] of modules.entries()) {
      const inOrder = `${String(index).padStart(2, '0')}-${name}`;
      writeFileSync(path.join(result, 'modules', inOrder), content);
    }
    rmSync(folder, { recursive: true, force: true });
    renameSync(result, folder);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The package behind the name that always means the newest kernel. */
async function currentKernel(): Promise<string> {
  const output = await command('apt-cache', ['depends', KERNEL]);
  const found = /Depends: (linux-image-\S+)/.exec(output)?.[1];
  if (found) return found;
  throw new BedMissing(`this machine's package sources have no ${KERNEL} (a Debian package)`);
}

/** Downloads a package of the distribution and unpacks it, without installing it; its files' folder. */
async function unpackPackage(name: string, scratch: string): Promise<string> {
  await command('apt-get', ['download', '--quiet', name], scratch);
  const [archive = ''] = globSync(path.join(scratch, `${name}_*.deb`));
  const files = path.join(scratch, name);
  await command('dpkg-deb', ['--extract', archive, files]);
  return files;
}

async function command(program: string, args: string[], cwd = projectFolder): Promise<string> {
  try {
    return (await promisify(execFile)(program, args, { cwd })).stdout;
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    throw new BedMissing(`${program} ${args.join(' ')} failed: ${stderr?.trim() || message}`);
  }
}
