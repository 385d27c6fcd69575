import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Kinds of damage to a file of set-up. */
export const DAMAGES: Record<string, (file: string) => void> = {
  missing: (file) => rmSync(file),
  empty: (file) => writeFileSync(file, ''),
  cut(file) {
    const whole = readFileSync(file);
    writeFileSync(file, whole.subarray(0, whole.length / 2));
  },
  'of zeros': (file) => writeFileSync(file, Buffer.alloc(4096)),
  garbage: (file) => writeFileSync(file, '\u0000ÿ{"[ not what it was'),
  'JSON of another shape': (file) => writeFileSync(file, '[{"chromium":{}}]'),
  'a number': (file) => writeFileSync(file, '7'),
  null: (file) => writeFileSync(file, 'null'),
  'without its fields': (file) => writeFileSync(file, '{}'),
  'with fields of other types': (file) =>
    writeFileSync(file, '{"chromium":7,"madeFrom":[],"filled":null}'),
  'a folder'(file) {
    rmSync(file);
    mkdirSync(path.join(file, 'with', 'more'), { recursive: true });
  },
  'a link to nowhere'(file) {
    rmSync(file);
    symlinkSync('/nowhere', file);
  },
  'a link in a circle'(file) {
    rmSync(file);
    symlinkSync(path.basename(file), file);
  },
  'a link to another file'(file) {
    rmSync(file);
    symlinkSync('/etc/passwd', file);
  },
};
