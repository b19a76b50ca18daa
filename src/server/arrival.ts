import type { IncomingMessage } from 'node:http';
import { invalid, Problem } from '../errors/problem.ts';

/** Refuses what no route takes, whatever it asks for: an unclear host, and compressed bodies. */
export function checkHeaders({ rawHeaders, headers, httpVersionMinor }: IncomingMessage): void {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]!.length === 4 && rawHeaders[at]!.toLowerCase() === 'host') hosts++;
  if (hosts > 1 || (hosts === 0 && httpVersionMinor > 0))
    throw invalid('/headers/host', 'The request needs one Host header.');
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw new Problem('unsupported-media', 'Compressed bodies are not taken.', {
      hint: 'Send the body without Content-Encoding.',
    });
  }
}
