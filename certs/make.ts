// Run by set-up: makes the local authority. Leaves are made when a site is first loaded.
import { ensureAuthority } from './authority.ts';
import { SMALL } from './small.ts';

await ensureAuthority(SMALL);
