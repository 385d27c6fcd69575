import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertInKernel } from '../../../network/kernel-congestion-control.ts';

test("what the kernel's TCP does not have is refused with what it has, and how to load it", () => {
  assert.throws(() => assertInKernel('bbr', ['reno', 'cubic']), {
    name: 'UsageError',
    message: /--cc bbr: .* reno and cubic .*sudo modprobe tcp_bbr/,
  });
  assertInKernel('bbr', ['reno', 'cubic', 'bbr']);
});

test('a kernel that does not tell what it has is not judged', () => assertInKernel('bbr', null));
