import { tooLongRecord, type SourceRecord } from './source-record.ts';
import { JsonItemSplitter } from './json-items.ts';
import { parseRecord } from './read-lines.ts';
import { checkUtf8 } from './utf8.ts';

/** Yields the items of a JSON array, or of the list in an object, in groups. @throws Problem as `JsonItemSplitter` does */
export async function* readJson(chunks: AsyncIterable<Buffer>, file: string): AsyncGenerator<SourceRecord[]> {
  let count = 0;
  let lastLine = 1;
  const items = new JsonItemSplitter(file === '-' ? 'Standard input' : file);
  for await (const chunk of checkUtf8(chunks, file)) {
    const entries = items.push(chunk).map(({ text, line, end, isWhole, isTooLong }) => {
      const record =
        isTooLong === true ? tooLongRecord({ file, line, end }, text) : parseRecord(file, line, text, end);
      count++;
      const isAlone = isWhole === true || line !== lastLine;
      lastLine = line;
      return isAlone ? record : { ...record, number: count };
    });
    if (entries.length > 0) yield entries;
  }
  items.finish();
}
