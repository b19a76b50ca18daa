// The main program of a child process that asks a server for the same thing every few milliseconds, and measures the answers. It is
// another process, so that a busy client is not taken for a busy server.
import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { once } from './support.js';

/** Milliseconds between an answer and the next request. */
const pause = 3;

/** @type {{ base: string, path: string, token: string, pid: number }} */
const { base, path, token, pid } = JSON.parse(process.argv[2] ?? '');
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const target = { method: 'GET', path, headers: { authorization: `Bearer ${token}` } };
/** @type {number[]} */
const walls = [];
/** @type {number[]} */
const cpus = [];
/** The milliseconds for which the main thread of the server has run: unlike the time, they do not depend on other programs. */
const cpu = () => Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
let isEnded = false;
process.once('message', () => (isEnded = true));
for (let asked = 0; !isEnded; asked++) {
  const ran = cpu();
  const start = process.hrtime.bigint();
  const { status, body } = await once(base, target, agent);
  if (status !== 200) throw new Error(`${path}: ${status} ${body.slice(0, 300)}`);
  walls.push(Number(process.hrtime.bigint() - start) / 1e6);
  cpus.push(cpu() - ran);
  if (asked === 20) {
    // What came before was for warming up.
    walls.length = 0;
    cpus.length = 0;
    process.send?.('ready');
  }
  await setTimeout(pause);
}
agent.destroy();
/** @param {number[]} values @param {number} part */
const at = (values, part) =>
  values.sort((one, other) => one - other)[Math.min(values.length - 1, Math.floor(values.length * part))] ??
  Number.NaN;
/** @param {number[]} values */
const summary = (values) => ({ p50: at(values, 0.5), p99: at(values, 0.99), max: at(values, 1) });
process.send?.({ count: walls.length, wall: summary(walls), cpu: summary(cpus) }, () => process.disconnect());
