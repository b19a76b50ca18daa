import { subscribe } from 'node:diagnostics_channel';
import type { ChildProcess } from 'node:child_process';
import { readInChildProcess } from '../../src/specification/child-process-reader.ts';

// A program for reader-process.test.ts, that reads a specification for longer than anybody waits, and tells the id of the process that
// does it as soon as that has the whole text.
let schema: object = { type: 'wrong' };
for (let depth = 0; depth < 24; depth++)
  schema = { anyOf: [schema], oneOf: [{ allOf: [{ not: { type: 'x' } }] }] };
const schemas = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`S${index}`, schema]));
const text = JSON.stringify({
  openapi: '3.0.3',
  info: { title: 't', version: '1' },
  paths: {},
  components: { schemas },
});

subscribe('child_process', (message) => {
  const { process: child } = message as { process: ChildProcess };
  child.once('spawn', () => child.stdin?.once('finish', () => process.stdout.write(String(child.pid))));
});
const { signal } = new AbortController();
await readInChildProcess(text, { signal, useChildProcess: true, timeout: 600_000 });
