import { stdin, stdout } from 'node:process';
import { text as textOf } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { answerReader, type ReaderRequest } from './answer-reader.ts';

/** The pipe that says nothing: its other end is that of read-apart.ts, and closes when that process is gone. */
const lifeline = 3;

// A thread, because this one is busy with the specification; a kill, because a thread can end only itself otherwise.
const watch = `new (require('node:net').Socket)({ fd: ${lifeline} }).on('error', () => {}).on('close', () => process.kill(process.pid, 'SIGKILL')).resume()`;
new Worker(watch, { eval: true }).unref();

// The whole of a process of its own, from standard input to standard output; see read-apart.ts.
void textOf(stdin)
  .then((request) => answerReader(JSON.parse(request) as ReaderRequest))
  .then((answer) => stdout.write(JSON.stringify(answer)));
