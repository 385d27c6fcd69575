// With TEST_STACKS=all it tries every case of a sweep, for each stack.
import '../e2e/transfer-limits.test.ts';
