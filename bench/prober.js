// The main program of a child process that asks a server for the same thing every few milliseconds, and measures the answers. It is
// another process, so that a busy client is not taken for a busy server.
import { Agent } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { once } from './support.js';

/** Milliseconds between an answer and the next request. */
const pause = 3;

/** @type {{ base: string, path: string, token: string }} */
const { base, path, token } = JSON.parse(process.argv[2] ?? '');
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const target = { method: 'GET', path, headers: { authorization: `Bearer ${token}` } };
/** @type {number[]} */
const walls = [];
let isEnded = false;
process.once('message', () => (isEnded = true));
for (let asked = 0; !isEnded; asked++) {
  const start = process.hrtime.bigint();
  const { status, body } = await once(base, target, agent);
  if (status !== 200) throw new Error(`${path}: ${status} ${body.slice(0, 300)}`);
  walls.push(Number(process.hrtime.bigint() - start) / 1e6);
  if (asked === 20) {
    // What came before was for warming up.
    walls.length = 0;
    process.send?.('ready');
  }
  await setTimeout(pause);
}
agent.destroy();
walls.sort((one, other) => one - other);
/** @param {number} part */
const at = (part) => walls[Math.min(walls.length - 1, Math.floor(walls.length * part))] ?? Number.NaN;
process.send?.({ count: walls.length, p50: at(0.5), p99: at(0.99), max: at(1) }, () => process.disconnect());
