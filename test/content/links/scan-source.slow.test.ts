import { runInNewContext } from 'node:vm';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { expect, it } from 'vitest';
import { scanSource, type ScannedText } from '../../../src/content/links/sources.ts';
import { putText } from '../../../src/content/blobs.ts';
import type { PageEntry } from '../../../src/content/rows.ts';
import { openStore } from '../../../src/stores/index.ts';
import { tables } from '../../../src/resources/tables.ts';

const texts = 40;
const length = 1_000_000;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const megabytesHeld = (): number => {
  collectGarbage();
  return getHeapStatistics().used_heap_size / 1e6;
};

it('keeps no reference to the text in the links and anchors that it returns', async () => {
  const found: ScannedText[] = [];
  const before = megabytesHeld();
  for (let number = 0; number < texts; number++) {
    const store = await openStore('memory:', { tables });
    const href = `a-folder-with-a-long-name/page-${number}.md`;
    const text = `## A heading with a long name ${number}\n\n[a link](${href})\n\n${'x'.repeat(length)}\n`;
    const blob = await store.write((tx) => putText(tx, text));
    const entry = { kind: 'page', id: 'p', blob } as unknown as PageEntry;
    found.push(await store.read((view) => scanSource(view, entry)));
    await store.close();
  }
  expect(megabytesHeld() - before).toBeLessThan((texts * length) / 1e6 / 2);
  expect(found.map(({ links }) => links.map(({ href, line }) => [href, line]))).toEqual(
    found.map((_, number) => [[`a-folder-with-a-long-name/page-${number}.md`, 3]]),
  );
  expect(found[7]?.anchors).toEqual(['a-heading-with-a-long-name-7']);
});
