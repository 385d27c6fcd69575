import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldedText, foldStacks, prunedStacks } from '../../../profiles/folded-stacks.ts';
import { profileStep } from '../../../profiles/processor.ts';
import { parseCounts } from '../../../profiles/syscalls.ts';

test('reads the summary of strace with its errors, and without its sum', () => {
  const text = `% time     seconds  usecs/call     calls    errors syscall
------ ----------- ----------- --------- --------- ----------------
 52.70    0.115894        1587        73        27 futex
  7.45    0.016375           9      1659           sendmmsg
  0.01    0.000012          12         1           newfstatat
------ ----------- ----------- --------- --------- ----------------
100.00    0.132281          76      1733        27 total
`;
  assert.deepEqual(parseCounts(text), [
    { name: 'futex', calls: 73, errors: 27, cpuMs: 115.894 },
    { name: 'sendmmsg', calls: 1659, errors: 0, cpuMs: 16.375 },
    { name: 'newfstatat', calls: 1, errors: 0, cpuMs: 0.012 },
  ]);
  assert.deepEqual(parseCounts(''), []);
});

const SCRIPT = `bun 
	ffffffff821fb643 schedule ([kernel.kallsyms])
	ffffffff821ef85b do_syscall_64 ([kernel.kallsyms])
	          101829 syscall (/usr/lib/x86_64-linux-gnu/libc.so.6)
	         312491c [unknown] (/opt/bun/bin/bun)
	         3121f0d [unknown] (/opt/bun/bin/bun)
	    7f698c9015df [unknown] (/tmp/perf-17475.map)
	         18562c4 [unknown] (/opt/bun/bin/bun)
	           2724a __libc_start_call_main (/usr/lib/x86_64-linux-gnu/libc.so.6)

bun 
	         312491c [unknown] (/opt/bun/bin/bun)
	           2724a __libc_start_call_main (/usr/lib/x86_64-linux-gnu/libc.so.6)

bun 
	         9999999 [unknown] (/opt/bun/bin/bun)
	           2724a __libc_start_call_main (/usr/lib/x86_64-linux-gnu/libc.so.6)

Heap Helper 
	          101829 operator new(unsigned long) (/usr/lib/libstdc++.so.6)

`;

test('counts stacks of perf from their outermost frame, with the kernel’s marked and unnamed frames merged', () => {
  const stacks = foldStacks(SCRIPT);
  assert.deepEqual(stacks, [
    { frames: ['bun', '__libc_start_call_main', '[bun]'], samples: 2 },
    {
      frames: [
        'bun',
        '__libc_start_call_main',
        '[bun]',
        '[compiled JavaScript]',
        '[bun]',
        'syscall',
        'do_syscall_64_[k]',
        'schedule_[k]',
      ],
      samples: 1,
    },
    { frames: ['Heap Helper', 'operator_new(unsigned_long)'], samples: 1 },
  ]);
  assert.match(foldedText(stacks), /^bun;__libc_start_call_main;\[bun\] 2$/m);
  assert.deepEqual(foldStacks(''), []);
});

test('adds rare frames to their callers, and loses no sample', () => {
  const stacks = [
    { frames: ['a', 'b', 'c'], samples: 90 },
    { frames: ['a', 'b', 'd'], samples: 6 },
    { frames: ['a', 'e', 'f'], samples: 3 },
    { frames: ['g'], samples: 1 },
  ];
  assert.deepEqual(prunedStacks(stacks, 0.05), [
    { frames: ['a', 'b', 'c'], samples: 90 },
    { frames: ['a', 'b', 'd'], samples: 6 },
    { frames: ['a'], samples: 3 },
    { frames: [], samples: 1 },
  ]);
  assert.deepEqual(prunedStacks([], 0.05), []);
});

test('reports processor time of all threads and of the busiest one, at the end of each step', () => {
  const program = { cpuMs: 15, mostCpuMs: 10, busiestMs: 18, switches: 3 };
  assert.deepEqual(profileStep({ atMs: 1040, forMs: 20, programs: { program } }, 1000), {
    atMs: 60,
    percent: 75,
    busiestThreadPercent: 50,
  });
});
