import { execFileSync } from 'node:child_process';
import { constants, cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';

/** Installed by set-up, and only read by type check and unit tests. */
const LINKED = ['node_modules', '.setup', '.venv'];
/** Made by set-up; tests may write to it. */
const COPIED = ['certs/generated', 'cache/sites', 'cache/videos', 'cache/sizes', 'cache/objects'];

/** Copies the working tree of the project, without files that Git ignores, into an empty folder. */
export function copyProject(root: string, folder: string): void {
  const files = execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 64 << 20,
    },
  );
  const copy = (place: string) => {
    const target = path.join(folder, place);
    mkdirSync(path.dirname(target), { recursive: true });
    cpSync(path.join(root, place), target, {
      recursive: true,
      verbatimSymlinks: true,
      mode: constants.COPYFILE_FICLONE,
    });
  };
  for (const place of [...files.split('\0').filter((file) => file !== ''), ...COPIED]) {
    // Deleted, but still in Git's index.
    if (existsSync(path.join(root, place))) copy(place);
  }
  for (const place of LINKED) symlinkSync(path.join(root, place), path.join(folder, place));
  // Tests list the files of the project by Git.
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
  execFileSync('git', ['add', '--all'], { cwd: folder });
}
