import { expect, it } from 'vitest';
import type { Services } from '../../src/core/handler.ts';
import { NotComputed, readComputing } from '../../src/publishing/read-computing.ts';
import { TextReader } from '../../src/publishing/text-reader.ts';
import { createSitesServer } from '../../src/server/sites-app.ts';
import { markdownToShow } from '../../src/richtext/readable.ts';
import { publishedSite } from './published-site.ts';

const services = (): Services => ({}) as Services;
const long = `# Long\n\n${'Some *words* of a long text. '.repeat(600)}\n\n\`\`\`js\nlet a = 1;\n\`\`\`\n`;

/** A reader in another thread, which returns when `answer` is called. */
function apart() {
  const asked: [organization: string, markdown: string][] = [];
  let answer = (): void => {};
  const done = new Promise<void>((resolve) => (answer = resolve));
  const texts = new TextReader(async (organization, markdown) => {
    asked.push([organization, markdown]);
    await done;
    return JSON.stringify(markdownToShow(markdown));
  });
  return { texts, asked, answer };
}

it('TextReader reads a short text at once, and a long one once in another thread for all who need it', async () => {
  const { texts, asked, answer } = apart();
  const short = 'A few words.\n\n'.repeat(20);
  expect(texts.read('org_1', short)).toEqual(markdownToShow(short));
  expect(() => texts.read('org_1', long)).toThrow(NotComputed);
  expect(asked).toEqual([]);
  const reading = [0, 1].map(() => readComputing(services, async () => texts.read('org_1', long), 0));
  const waiting = texts.readInTime('org_1', long);
  answer();
  const documents = await Promise.all([...reading, waiting]);
  expect(documents).toEqual([0, 1, 2].map(() => markdownToShow(long)));
  expect(asked).toEqual([['org_1', long]]);
  expect(texts.read('org_1', long)).toEqual(markdownToShow(long));
});

it('TextReader reads all texts at once if there are no threads', async () => {
  const texts = new TextReader();
  expect(texts.read('org_1', long)).toEqual(markdownToShow(long));
  expect(await texts.readInTime('org_1', long)).toEqual(markdownToShow(long));
});

it('TextReader fails if reading fails, and tries again for the next request', async () => {
  let calls = 0;
  const texts = new TextReader(async () => {
    calls++;
    throw new Error('the thread ended');
  });
  for (const count of [1, 2]) {
    await expect(readComputing(services, async () => texts.read('org_1', long))).rejects.toThrow('ended');
    expect(calls).toBe(count);
  }
});

it('TextReader returns a text that is nested too deeply as a paragraph', () => {
  const deep = '> '.repeat(500);
  expect(new TextReader().read('org_1', deep).nodes).toMatchObject([{ type: 'paragraph' }]);
});

it('a site shows the same page whichever thread reads its text, and uses threads only for long texts', async () => {
  const site = await publishedSite([
    { title: 'Short', text: 'Hello.' },
    { title: 'Long', text: long },
  ]);
  const asked: string[] = [];
  const server = await createSitesServer({
    core: site.core,
    newRequestId: () => 'req',
    log: undefined,
    threads: {
      answerSite: async () => {
        throw new Error('Nobody searches.');
      },
      readMarkdown: async (organization, markdown) => {
        asked.push(organization);
        return JSON.stringify(markdownToShow(markdown));
      },
    },
  });
  const bodyOf = async (from: typeof server, path: string): Promise<string> => {
    const { statusCode, body } = await from.inject({
      url: `/sites/acme/docs/${path}`,
      headers: { host: 'docs.test' },
    });
    expect(statusCode).toBe(200);
    return body;
  };
  for (const path of ['', 'long', 'long'])
    expect(await bodyOf(server, path)).toBe(await bodyOf(site.server, path));
  expect(asked).toEqual([site.world.org]);
  await server.close(0);
});
