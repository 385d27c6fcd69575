import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertInKernel } from '../../../network/kernel-congestion-control.ts';

test("rejects a congestion control that the kernel's TCP lacks, with the existing ones and how to load it", () => {
  assert.throws(() => assertInKernel('bbr', ['reno', 'cubic']), {
    name: 'UsageError',
    message: /--cc bbr: .* reno and cubic .*sudo modprobe tcp_bbr/,
  });
  assertInKernel('bbr', ['reno', 'cubic', 'bbr']);
});

test('accepts a kernel that does not list its congestion controls', () =>
  assertInKernel('bbr', null));
