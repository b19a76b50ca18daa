// Measures speed and memory, as ratios of things that are measured in turn in one run. Linux only (it reads /proc).
//   npm run bench                 every part
//   npm run bench -- --check        only the figures that are kept in bench/figures.json; fails if one is worse than its limit
//   npm run bench -- --check --tolerance 3   the same with limits three times as far from the kept figures, for another machine
//   npm run bench -- --keep         measures these three times, and keeps them
//   npm run bench -- start ingest   only those: start, store, ingest, serve, postgres, jobs, content, sites, readers, stalls, manifest,
//                                   conversations, analysis, backup
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { backup } from './backup.js';
import { check, keep } from './check.js';
import { content } from './content.js';
import { analysis, conversations } from './conversations.js';
import { jobsPart } from './jobs.js';
import { manifest } from './manifest.js';
import * as parts from './parts.js';
import { postgres } from './postgres.js';
import { siteReaders } from './site-readers.js';
import { sites } from './sites.js';
import { stalls } from './stalls.js';

const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
const { values, positionals: wanted } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    tolerance: { type: 'string', default: '1' },
  },
  allowPositionals: true,
});
const folder = mkdtempSync(join(tmpdir(), 'docsctl-bench-'));
const envOf = { ...env, DOCSCTL_CONFIG_DIR: join(folder, 'config') };
/** @param {string} name */
const newBench = (name) => {
  mkdirSync(join(folder, name));
  return { folder: join(folder, name), env: envOf };
};
try {
  if (values.keep) await keep(newBench);
  else if (values.check) {
    const { lines, isGood } = await check(newBench, Number(values.tolerance));
    for (const line of lines) console.log(line);
    if (!isGood) process.exitCode = 1;
  } else
    for (const [name, part] of Object.entries({
      start: parts.start,
      store: parts.store,
      ingest: parts.ingest,
      serve: parts.serve,
      postgres,
      jobs: jobsPart,
      content,
      sites,
      readers: siteReaders,
      stalls,
      manifest,
      conversations,
      analysis,
      backup,
    })) {
      if (wanted.length > 0 && !wanted.includes(name)) continue;
      console.log(`\n${name}`);
      for (const line of await part({ folder, env: envOf })) console.log(`  ${line}`);
    }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
