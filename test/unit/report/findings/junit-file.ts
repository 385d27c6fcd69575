import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';

/** An element of XML as read by Python's parser, which rejects invalid XML. */
export interface Element {
  tag: string;
  attributes: Record<string, string>;
  text: string;
  children: Element[];
}

const READ = `
import json, sys, xml.etree.ElementTree as tree
def read(element):
    return {"tag": element.tag, "attributes": element.attrib, "text": element.text or "",
            "children": [read(child) for child in element]}
print(json.dumps(read(tree.fromstring(sys.stdin.buffer.read()))))`;

/**
 * JUnit's file format: for each element the optional and required attributes, and its children in
 * order.
 */
const SCHEMA: Readonly<Record<string, { may: string[]; must: string[]; children: string[] }>> = {
  testsuites: {
    may: ['time'],
    must: ['name', 'tests', 'failures', 'errors'],
    children: ['testsuite'],
  },
  testsuite: {
    may: ['time', 'timestamp'],
    must: ['name', 'tests', 'failures', 'errors', 'skipped'],
    children: ['testcase'],
  },
  testcase: {
    may: ['time'],
    must: ['name', 'classname'],
    children: ['failure', 'error', 'skipped', 'system-out'],
  },
  failure: { may: [], must: ['message', 'type'], children: [] },
  error: { may: [], must: ['message', 'type'], children: [] },
  'system-out': { may: [], must: [], children: [] },
};

/** Reads a file of test results, checked against that format. */
export function readJunit(text: string): Element {
  const { status, stdout, stderr } = spawnSync('python3', ['-c', READ], {
    input: text,
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  const root: Element = JSON.parse(stdout);
  assert.equal(root.tag, 'testsuites');
  assertKnown(root);
  return root;
}

/** Each test case as `name: passed`, or `name: failure met`. */
export function casesOf(root: Element): string[] {
  return elementsOf(root, 'testcase').map(({ attributes, children }) => {
    const trouble = children.find(({ tag }) => tag !== 'system-out');
    const what = trouble ? `${trouble.tag} ${trouble.attributes.type}` : 'passed';
    return `${attributes.name}: ${what}`;
  });
}

export function elementsOf(root: Element, tag: string): Element[] {
  const own = root.tag === tag ? [root] : [];
  return [...own, ...root.children.flatMap((child) => elementsOf(child, tag))];
}

function assertKnown(element: Element): void {
  const { tag, attributes, children } = element;
  const known = SCHEMA[tag];
  assert.ok(known, `<${tag}> is known to no reader`);
  for (const name of known.must) assert.ok(name in attributes, `<${tag}> has no ${name}`);
  for (const name of Object.keys(attributes)) {
    assert.ok([...known.must, ...known.may].includes(name), `<${tag} ${name}>`);
  }
  const places = children.map((child) => known.children.indexOf(child.tag));
  assert.ok(!places.includes(-1), `<${tag}> holds ${children.map((child) => child.tag)}`);
  assert.deepEqual(places, places.toSorted(), `order within <${tag}>`);
  if (tag === 'testcase') assert.ok(children.length <= 2);
  for (const [attribute, of] of [
    ['tests', 'testcase'],
    ['failures', 'failure'],
    ['errors', 'error'],
  ] as const) {
    if (attribute in attributes) {
      assert.equal(attributes[attribute], String(elementsOf(element, of).length), attribute);
    }
  }
  for (const child of children) assertKnown(child);
}
