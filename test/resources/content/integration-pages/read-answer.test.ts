import { describe, expect, it } from 'vitest';
import type { Problem } from '../../../../src/errors/problem.ts';
import {
  readDocumentAnswer,
  readRevisionAnswer,
} from '../../../../src/resources/content/integration-pages/read-answer.ts';

const answerOf = (body: unknown, status = 200) => ({
  status,
  headers: [],
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
});
/** Returns the result of reading an answer, or the reason why the answer cannot be used. */
function read<T>(
  reader: (answer: ReturnType<typeof answerOf>) => T,
  body: unknown,
  status = 200,
): T | string {
  try {
    return reader(answerOf(body, status));
  } catch (error) {
    expect((error as Problem).reason).toBe('script-failed');
    return (error as Problem).message.replace('The answer of the integration cannot be used: ', '');
  }
}
const revision = (body: unknown, status?: number) => read(readRevisionAnswer, body, status);
const pages = (...list: readonly unknown[]) => {
  const answer = revision({ pages: list });
  return typeof answer === 'string' ? answer : answer.pages;
};
const files = (...list: readonly unknown[]) => {
  const answer = revision({ files: list });
  return typeof answer === 'string' ? answer : answer.files;
};
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

const fileSample = { name: 'a.png', contentType: 'image/png', downloadURL: 'https://a.example/a', size: 0 };

describe('an answer', () => {
  it('must have a success status and valid JSON', () => {
    for (const status of [200, 299]) expect(revision({}, status)).toEqual({ pages: [], files: [] });
    for (const status of [199, 300]) expect(revision({}, status)).toBe(`It answered ${status}.`);
    expect(revision({ error: 'No.' }, 500)).toBe('It answered 500: No.');
    expect(revision({ error: 'x'.repeat(501) }, 500)).toHaveLength('It answered 500: '.length + 500);
    for (const error of ['', 7]) expect(revision({ error }, 500)).toBe('It answered 500.');
    for (const body of ['', '{', `${'['.repeat(65)}${']'.repeat(65)}`])
      expect(revision(body)).toBe('it is not valid JSON.');
    for (const body of ['null', '7', '[]']) expect(revision(body)).toEqual({ pages: [], files: [] });
  });
});

describe('pages', () => {
  it('are read with a title, a type, a key and their optional fields', () => {
    const document = { object: 'document', data: {}, nodes: [] };
    expect(
      pages(
        { title: ' A\n b ' },
        { title: 'B', slug: 'b', description: 'd', icon: 'i', emoji: '🙂', hidden: true, document },
        {
          title: 'C',
          id: 7,
          type: 'group',
          hidden: 'yes',
          document,
          pages: [{ title: 'D', document: { markdown: '# D' } }],
        },
        { title: 'E', type: 'link', href: 'https://a.example' },
        { title: 'F', type: 'link', target: { url: 'mailto:a@b.example' } },
      ),
    ).toEqual([
      { type: 'document', key: 'A b', title: 'A b', pages: [] },
      {
        type: 'document',
        key: 'b',
        title: 'B',
        slug: 'b',
        description: 'd',
        icon: 'i',
        emoji: '🙂',
        hidden: true,
        document,
        pages: [],
      },
      {
        type: 'group',
        key: '7',
        title: 'C',
        pages: [{ type: 'document', key: 'D', title: 'D', markdown: '# D', pages: [] }],
      },
      { type: 'link', key: 'E', title: 'E', href: 'https://a.example', pages: [] },
      { type: 'link', key: 'F', title: 'F', href: 'mailto:a@b.example', pages: [] },
    ]);
  });

  it('with the same key get different keys', () => {
    expect(pages({ title: 'A' }, { title: 'A' }, { title: 'A' })).toMatchObject([
      { key: 'A' },
      { key: 'A ' },
      { key: 'A  ' },
    ]);
  });

  it('take a text or number as key, else their title', () => {
    expect(pages({ id: 7, title: 'A' }, { id: { toString: 1 }, title: 'B' })).toMatchObject([
      { key: '7' },
      { key: 'B' },
    ]);
    expect(files({ ...fileSample, id: { toString: 1 } })).toMatchObject([{ key: 'a.png' }]);
  });

  it('cut texts that are too long', () => {
    const [page] = pages({
      title: 't'.repeat(256),
      slug: 's'.repeat(101),
      description: 'd'.repeat(2049),
      icon: 'i'.repeat(65),
      // This is not an emoji, so it is omitted.
      emoji: 'rocket',
      id: 'k'.repeat(256),
    });
    const lengths = Object.entries(page ?? {}).map(([name, value]) => `${name} ${value.length}`);
    expect(lengths).toEqual([
      'type 8',
      'key 255',
      'title 255',
      'slug 100',
      'description 2048',
      'icon 64',
      'pages 0',
    ]);
  });

  it('are limited to 1,000, nested at most 10 levels deep', () => {
    expect(pages(...times(1000, () => ({ title: 'A' })))).toHaveLength(1000);
    expect(pages(...times(999, () => ({ title: 'A' })), { title: 'B', pages: [{ title: 'C' }] })).toBe(
      'it has more than 1000 pages.',
    );
    const nested = (levels: number): object =>
      levels === 1 ? { title: 'A' } : { title: 'A', pages: [nested(levels - 1)] };
    expect(pages(nested(10))).toHaveLength(1);
    expect(pages(nested(11))).toBe('its pages are nested more than 10 times.');
  });

  it.each<[unknown, string]>([
    [7, '/pages/1 is not an object.'],
    [{ title: ' ' }, '/pages/1 has no title.'],
    [{ title: 'A', type: 'page' }, '/pages/1/type is not document, group or link.'],
    [{ title: 'A', pages: {} }, '/pages/1/pages is not a list.'],
    [{ title: 'A', type: 'link' }, '/pages/1 has no address.'],
    [{ title: 'A', type: 'link', href: 'javascript:alert(1)' }, '/pages/1 has no address.'],
    [{ title: 'A', type: 'link', href: `https://${'a'.repeat(2041)}` }, '/pages/1 has no address.'],
    [{ title: 'A', type: 'link', href: { toString: 1 } }, '/pages/1 has no address.'],
    [{ title: 'A', document: { object: 'document' } }, '/pages/1/document is not a valid rich document.'],
    [{ title: 'A', computed: { type: 'nothing' } }, '/pages/1/computed is not a source of an integration.'],
  ])('are refused for %j', (page, why) => {
    expect(pages({ title: 'First' }, page)).toContain(why);
  });

  it('can link to addresses of up to 2,040 characters', () => {
    const href = `https://${'a'.repeat(2040)}`;
    expect(pages({ title: 'A', type: 'link', href })).toMatchObject([{ href }]);
  });
});

describe('files', () => {
  const file = fileSample;

  it('are read with a name, a media type, an address and a size', () => {
    expect(files(file, { ...file, id: 'b', size: 7, dimensions: { width: 0, height: 2 } })).toEqual([
      { ...file, key: 'a.png' },
      { ...file, key: 'b', size: 7, dimensions: { width: 0, height: 2 } },
    ]);
    for (const dimensions of [{ width: 1 }, { width: 1, height: -1 }, { width: 1.5, height: 1 }, 7])
      expect(files({ ...file, dimensions })).toEqual([{ ...file, key: 'a.png' }]);
  });

  it('are limited to 1,000', () => {
    const list = times(1001, (index) => ({ ...file, id: index }));
    expect(files(...list.slice(1))).toHaveLength(1000);
    expect(files(...list)).toBe('it has more than 1000 files.');
  });

  it.each<[object, string]>([
    [{ name: '' }, '/files/1 has no name.'],
    [{ contentType: 'png' }, '/files/1/contentType is not a media type.'],
    [{ contentType: undefined }, '/files/1/contentType is not a media type.'],
    [{ downloadURL: 'ftp://a' }, '/files/1/downloadURL is not a URL.'],
    [{ downloadURL: 7 }, '/files/1/downloadURL is not a URL.'],
    [{ downloadURL: `https://${'a'.repeat(2041)}` }, '/files/1/downloadURL is not a URL.'],
    [{ size: -1 }, '/files/1/size is not a number of bytes.'],
    [{ size: '1' }, '/files/1/size is not a number of bytes.'],
    [{ size: 2 ** 53 }, '/files/1/size is not a number of bytes.'],
    [{}, '/files/1 has the ID of another file.'],
  ])('are refused with %j', (more, why) => {
    expect(files(file, { ...file, ...more })).toBe(why);
  });

  it('must be a list of objects', () => {
    expect(revision({ files: {} })).toBe('/files is not a list.');
    expect(files(7)).toBe('/files/0 is not an object.');
  });
});

it('a document answer is Markdown or a rich document', () => {
  const document = (body: unknown) => read(readDocumentAnswer, body);
  expect(document({ document: { markdown: '# A' } })).toEqual({ markdown: '# A' });
  const rich = { object: 'document', data: {}, nodes: [] };
  expect(document({ document: rich })).toEqual({ document: rich });
  for (const body of [{}, 7]) expect(document(body)).toBe('it has no document.');
  expect(document({ document: { markdown: 7 } })).toBe('/document is not a valid rich document.');
});
