import { stdin, stdout } from 'node:process';
import { text as textOf } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { analyzeSpecification, type AnalysisRequest } from './read-specification.ts';

/** A pipe that carries nothing: its other end is in child-process-reader.ts and closes when that process is gone. */
const lifeline = 3;

// A thread watches it because this one is busy with the specification. It kills because a thread cannot exit the process.
const watch = `new (require('node:net').Socket)({ fd: ${lifeline} }).on('error', () => {}).on('close', () => process.kill(process.pid, 'SIGKILL')).resume()`;
new Worker(watch, { eval: true }).unref();

// The validator compares values with this class. Node loads all of its HTTP client when the name is first used.
Object.defineProperty(globalThis, 'Headers', { value: undefined });

// The main program of a child process, from standard input to standard output; see child-process-reader.ts.
void textOf(stdin)
  .then((request) => analyzeSpecification(JSON.parse(request) as AnalysisRequest))
  .then((analysis) => stdout.write(JSON.stringify(analysis)));
