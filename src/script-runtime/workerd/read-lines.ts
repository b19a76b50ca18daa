import type { FromWorkerd } from '../protocol.ts';

/**
 * Reads the lines of a response of workerd. They are not trusted, because the script runs in the same context as the code that
 * writes them.
 *
 * @throws Error if there are more bytes than `maxBytes`, or for a line that is not JSON or whose body is not a text
 */
export async function* readLines(
  chunks: AsyncIterable<string>,
  maxBytes: number,
): AsyncGenerator<FromWorkerd> {
  let rest = '';
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > maxBytes) throw new Error('The answer is too large.');
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const text of lines) {
      const line = JSON.parse(text) as FromWorkerd;
      // For an object with a length, `Buffer.from` would allocate that many bytes.
      if (line.type === 'answer' && typeof line.body !== 'string') throw new Error('The body is not text.');
      yield line;
    }
  }
}
