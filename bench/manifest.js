import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { childCpu } from './measure.js';
import { bin, docsctl, init, json, node, startServer } from './support.js';

const resources = Number(process.env['BENCH_RESOURCES'] ?? 2000);

/**
 * A manifest of many resources: the first apply, one that changes nothing, and the first over a server with one call and
 * with eight at once.
 *
 * @type {import('./support.js').Part}
 */
export async function manifest({ folder, env }) {
  const lines = [`${resources.toLocaleString('en')} resources`];
  const bare = spent(() => spawnSync(node, ['-e', '0'], { env }));
  const near = prepare(folder, 'near', env);
  const where = ['--store', near.url, '--org', near.organization];
  const first = spent(() => apply(where, near.dir, env));
  const again = spent(() => apply(where, near.dir, env));
  const plan = spent(() => json(docsctl('plan', ...where, '-f', near.dir, '-o', 'json'), env));
  lines.push(
    `embedded: first apply ${text(first)}; again ${text(again)}, ${(again.cpu / bare.cpu).toFixed(1)} x node -e 0; plan ${text(plan)}`,
  );
  lines.push(`second apply: ${again.value.counts.done} done, ${again.value.unchanged} unchanged`);
  for (const jobs of [1, 8]) {
    const far = prepare(folder, `far-${jobs}`, env);
    const server = await startServer(far.url, env);
    const there = ['--server', server.base, '--org', far.organization, '--jobs', String(jobs)];
    const run = spent(() => apply(there, far.dir, { ...env, DOCSCTL_TOKEN: far.token }));
    const known = spent(() => apply(there, far.dir, { ...env, DOCSCTL_TOKEN: far.token }));
    await server.stop();
    lines.push(
      `over a server, --jobs ${jobs}: first apply ${text(run)}, ${(run.seconds / first.seconds).toFixed(2)} x embedded; again ${text(known)}`,
    );
  }
  return lines;
}

/**
 * @param {string} folder
 * @param {string} name
 * @param {NodeJS.ProcessEnv} env
 */
function prepare(folder, name, env) {
  const url = `sqlite:${join(folder, `manifest-${name}.db`)}`;
  const { organization, token } = init(url, env);
  const dir = join(folder, `manifest-${name}`);
  mkdirSync(dir);
  writeFileSync(join(dir, 'docsctl.yaml'), manifestText());
  return { url, dir, organization: organization.id, token };
}

/** 2 % teams, 8 % collections, 85 % spaces, and sites of 19 sections. */
function manifestText() {
  /**
   * @param {number} share
   * @param {(index: number) => string} line
   */
  const many = (share, line) =>
    Array.from({ length: Math.round(resources * share) }, (_, index) => line(index));
  const collections = Math.round(resources * 0.08);
  const sites = Math.max(1, Math.round(resources * 0.0025));
  return [
    'version: 1',
    'teams:',
    ...many(0.02, (index) => `  t${index}: { title: Team ${index} }`),
    'collections:',
    ...many(0.08, (index) => `  c${index}: { title: Collection ${index} }`),
    'spaces:',
    ...many(
      0.85,
      (index) => `  s${index}: { title: Space ${index}, parent: !ref collection.c${index % collections} }`,
    ),
    'sites:',
    ...Array.from({ length: sites }, (_, site) => [
      `  d${site}:`,
      `    title: Docs ${site}`,
      '    sections:',
      ...Array.from(
        { length: 19 },
        (_section, index) =>
          `      - { path: p${index}, title: Section ${index}, space: !ref space.s${site * 19 + index} }`,
      ),
    ]).flat(),
    '',
  ].join('\n');
}

/**
 * @param {readonly string[]} where
 * @param {string} dir
 * @param {NodeJS.ProcessEnv} env
 */
function apply(where, dir, env) {
  return json([node, bin, 'apply', ...where, '-f', dir, '-y', '-o', 'json'], env);
}

/**
 * @template T
 * @param {() => T} work
 */
function spent(work) {
  const [start, used] = [process.hrtime.bigint(), childCpu()];
  const value = work();
  return { value, cpu: childCpu() - used, seconds: Number(process.hrtime.bigint() - start) / 1e9 };
}

/** @param {{ cpu: number, seconds: number }} spent */
function text({ cpu, seconds }) {
  return `${seconds.toFixed(2)} s (cpu ${cpu.toFixed(2)})`;
}
