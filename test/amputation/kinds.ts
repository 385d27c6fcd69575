import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * A kind of slices: folders with everything about one thing, named only by the index next to them.
 */
export interface Kind {
  kind: string;
  /** Has one folder for each slice; a pattern for several folders. */
  folder: string;
  /** Slices that the frame and its tests may use. */
  kept: readonly string[];
  /** Folders that several slices of the kind use. */
  shared: readonly string[];
  /** The field of its description that is its name; null: the name of its folder. */
  id: 'name' | 'stack' | 'format' | null;
  /** Kinds whose slices a slice of this kind may use. */
  buildsOn?: readonly string[];
}

export const KINDS: readonly Kind[] = [
  // The example measures nothing: the tests of the frame draw its numbers.
  {
    kind: 'experiment',
    folder: 'experiments',
    kept: ['page-load', 'example'],
    shared: [],
    id: null,
  },
  {
    kind: 'stack',
    folder: 'servers',
    kept: ['lsquic-h3', 'bun-h2', 'flask-h1'],
    shared: ['bun', 'flask', 'proxy', 'replay'],
    id: 'stack',
  },
  {
    kind: 'client',
    folder: 'clients',
    kept: ['chromium', 'bun', 'firefox'],
    shared: ['har', 'python'],
    id: 'name',
  },
  { kind: 'player', folder: 'experiments/*/players', kept: [], shared: [], id: null },
  { kind: 'importer', folder: 'cache/importers', kept: [], shared: [], id: 'format' },
  { kind: 'exporter', folder: 'cache/exporters', kept: [], shared: [], id: 'format' },
  // A study is a question with an experiment and the stacks that it compares.
  {
    kind: 'study',
    folder: 'studies',
    kept: [],
    shared: [],
    id: 'name',
    buildsOn: ['experiment', 'stack'],
  },
];

export interface Slice {
  kind: Kind;
  name: string;
  /** Its path in the project. */
  folder: string;
  /** Where the index finds it. */
  indices: readonly string[];
}

/** Every slice that can be removed, by the folders of a project. */
export function removableSlices(root: string): Slice[] {
  return slicesOf(root).filter(({ kind, name }) => !kind.kept.includes(name));
}

/** Every slice, including kept ones. */
export function slicesOf(root: string): Slice[] {
  return KINDS.flatMap((kind) =>
    globSync(`${kind.folder}/*/`, { cwd: root, withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .filter(({ name }) => !NO_SLICES.includes(name) && !kind.shared.includes(name))
      .map(({ name, parentPath }) => {
        const parent = path.relative(root, parentPath);
        const folder = path.join(parent, name);
        return { kind, name, folder, indices: indicesOf(root, parent, name) };
      })
      .toSorted((a, b) => (a.folder < b.folder ? -1 : 1)),
  );
}

/** Whether a slice has a file, by its path in the project. */
export function isIn({ folder }: Pick<Slice, 'folder'>, file: string): boolean {
  return file.startsWith(`${folder}/`);
}

/** Folders shared by slices of a kind. */
const NO_SLICES = ['test', 'bench', '__pycache__'];

/** Files next to a slice that name it by its path. */
function indicesOf(root: string, parent: string, name: string): string[] {
  return globSync(`${parent}/*.ts`, { cwd: root }).filter((file) =>
    readFileSync(path.join(root, file), 'utf8').includes(`'./${name}/`),
  );
}
