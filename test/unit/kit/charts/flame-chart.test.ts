import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flameChart } from '../../../../kit/charts/flame-chart.ts';
import { HOSTILE } from './marks.ts';

test('draws a frame as wide as its share with its callees, and kernel functions in another colour', () => {
  const svg = flameChart(
    [
      { frames: ['main', 'read', 'sys_read_[k]'], samples: 3 },
      { frames: ['main', 'write'], samples: 1 },
      { frames: ['main'], samples: 4 },
    ],
    'A chart',
  ).text;
  const titles = [...svg.matchAll(/<title>([^<]+)</g)].map(([, title]) => title);
  assert.deepEqual(titles, [
    'main: 100 %',
    'read: 37.5 %',
    'sys_read_[k]: 37.5 %',
    'write: 12.5 %',
  ]);
  assert.match(svg, /stack-2[^>]*>(<title>)?sys_read|fill="var\(--stack-2\)"/);
  assert.match(svg, />main<\/text>/);
});

test('omits text in narrow frames, does not fail without frames, and renders names as text', () => {
  const svg = flameChart(
    [
      { frames: ['wide'], samples: 999 },
      { frames: ['narrow'], samples: 1 },
      { frames: [HOSTILE], samples: 500 },
    ],
    'A chart',
  ).text;
  assert.doesNotMatch(svg, />narrow<\/text>/);
  assert.doesNotMatch(svg, /<script|<img|NaN/);
  assert.doesNotMatch(flameChart([], 'A chart').text, /NaN|Infinity/);
});
