import { stdin, stdout } from 'node:process';
import { text as textOf } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { analyzeSpecification, type AnalysisRequest } from './read-specification.ts';

/** A pipe without data: its other end is in child-process-reader.ts, and closes when that process has ended. */
const lifeline = 3;

// A thread watches the pipe, because the main thread is busy with the specification. It kills the process, because a thread
// cannot exit it.
const watch = `new (require('node:net').Socket)({ fd: ${lifeline} }).on('error', () => {}).on('close', () => process.kill(process.pid, 'SIGKILL')).resume()`;
new Worker(watch, { eval: true }).unref();

// The validator compares values with this class. Accessing it would load the whole HTTP client of Node.js.
Object.defineProperty(globalThis, 'Headers', { value: undefined });

// The main program of a child process, from standard input to standard output; see child-process-reader.ts.
void textOf(stdin)
  .then((request) => analyzeSpecification(JSON.parse(request) as AnalysisRequest))
  .then((analysis) => stdout.write(JSON.stringify(analysis)));
