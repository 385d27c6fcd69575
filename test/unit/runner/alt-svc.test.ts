import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isUsable, readAltSvc, whyUnusable } from '../../../runner/alt-svc.ts';

const DAY_S = 24 * 3600;

test('reads an Alt-Svc header with all its alternatives and parameters', () => {
  assert.deepEqual(
    readAltSvc('h3=":443"; ma=2592000,h3-29="b.test:8443"; persist=1;ma="60" , h2=":8080"'),
    [
      { protocol: 'h3', host: '', port: 443, maxAgeS: 2592000 },
      { protocol: 'h3-29', host: 'b.test', port: 8443, maxAgeS: 60 },
      { protocol: 'h2', host: '', port: 8080, maxAgeS: DAY_S },
    ],
  );
  for (const none of ['clear', '', 'h3', 'h3=443', 'h3=":x"'])
    assert.deepEqual(readAltSvc(none), []);
});

test('uses h3 at its own host in Chromium, and from a port below 1024 at no other one above', () => {
  const why = (header: string, port = 443) => {
    const [first] = readAltSvc(header);
    assert.ok(first, header);
    const reason = whyUnusable(first, { host: 'a.test', port });
    assert.equal(isUsable(first, { host: 'a.test', port }), reason === null);
    return reason;
  };
  assert.equal(why('h3=":443"'), null);
  assert.equal(why('h3="a.test:444"'), null);
  assert.equal(why('h3=":444"', 8443), null);
  assert.equal(why('h3=":9443"', 8443), null);
  assert.match(why('h3=":8443"') ?? '', /port 8443/);
  assert.match(why('h3=":443"; ma=0') ?? '', /ma=0/);
  assert.match(why('h3="b.test:443"') ?? '', /b\.test/);
  assert.match(why('h3-29=":443"') ?? '', /h3-29/);
});

test('uses h3 at any port and host in Firefox', () => {
  const [port, host, draft] = readAltSvc('h3=":8443", h3="b.test:443", h3-29=":443"');
  const why = (each: typeof port) =>
    each && whyUnusable(each, { host: 'a.test', port: 443 }, 'firefox');
  assert.deepEqual([why(port), why(host)], [null, null]);
  assert.match(why(draft) ?? '', /h3-29/);
});
