import { stdin, stdout } from 'node:process';
import { text as textOf } from 'node:stream/consumers';
import { answerReader, type ReaderRequest } from './answer-reader.ts';

// The whole of a process of its own, from standard input to standard output; see read-apart.ts.
void textOf(stdin)
  .then((request) => answerReader(JSON.parse(request) as ReaderRequest))
  .then((answer) => stdout.write(JSON.stringify(answer)));
