import type { BenchPage } from './bench-page.ts';
import { firstSync, push } from './bulk.ts';
import { coldOpen, holdAll } from './cold-open.ts';
import { inserts } from './inserts.ts';
import { insertsSeen } from './inserts-seen.ts';
import { prepareJournal } from './journals.ts';
import { listPages } from './list-pages.ts';
import { recordings } from './recordings.ts';

const bench: BenchPage = {
  prepare: ({ stored }) => prepareJournal(stored),
  inserts,
  recordings,
  insertsSeen,
  coldOpen,
  listPages,
  firstSync,
  push,
  holdAll,
};

Object.assign(window, { bench });
