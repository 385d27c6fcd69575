import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { readShapes, SHAPES_FILE } from '../../../cache/shapes/shapes.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { readShape } from './shape.ts';

describe('the shapes', () => {
  it('cover 39 sites with 1820 objects, 30 sites with published results', () => {
    const shapes = readShapes();
    assert.equal(shapes.length, 39);
    assert.equal(shapes.filter((shape) => shape.inPublishedResults).length, 30);
    assert.equal(
      shapes.reduce((sum, shape) => sum + shape.objects.length, 0),
      1820,
    );
  });

  it('are numbers only: no URL and no host name but the name of the site', () => {
    const { sites } = JSON.parse(readFileSync(SHAPES_FILE, 'utf8'));
    for (const site of sites) {
      const text = JSON.stringify({ ...site, site: '' });
      assert.doesNotMatch(text, /https?:|www\.|\.com|\.org/, site.site);
    }
  });

  it('have the objects of their sites', () => {
    assert.equal(readShape('www.iana.org').objects.length, 22);
  });

  it('name the file, the site and the object when they are damaged', (t) => {
    const folder = temporaryFolder(t);
    const file = path.join(folder, 'shapes.json');
    const damage = (change: (site: { objects: Record<string, unknown>[] }) => void) => {
      const shapes = JSON.parse(readFileSync(SHAPES_FILE, 'utf8'));
      change(shapes.sites[3]);
      writeFileSync(file, JSON.stringify(shapes));
      return () => readShapes(file);
    };
    const damages: [(site: { objects: Record<string, unknown>[] }) => void, RegExp][] = [
      [
        (site) => Object.assign(site.objects[2] ?? {}, { initiator: 2 }),
        /objects\[2\]: initiator is 2/,
      ],
      [
        (site) => Object.assign(site.objects[1] ?? {}, { host_index: 2 }),
        /objects\[1\]: host_index is 2/,
      ],
      [
        (site) => Object.assign(site.objects[1] ?? {}, { type: 'film' }),
        /objects\[1\]: type is film/,
      ],
      [(site) => Object.assign(site.objects[1] ?? {}, { bytes: -1 }), /objects\[1\]: bytes is -1/],
      [(site) => site.objects.shift(), /the first object is not the document/],
    ];
    for (const [change, message] of damages) {
      assert.throws(damage(change), (error: Error) => {
        assert.match(error.message, message);
        assert.ok(error.message.startsWith(`${file}: www.baidu.com: `), error.message);
        return true;
      });
    }
    writeFileSync(file, '{"format":2}');
    assert.throws(() => readShapes(file), /expected format 1 .* got format 2/);
  });
});
