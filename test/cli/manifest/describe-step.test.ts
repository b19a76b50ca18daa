import { describe, expect, it } from 'vitest';
import {
  diffFields,
  formatBytes,
  nameUnreadable,
  quoteTitle,
  stepTitle,
} from '../../../src/cli/manifest/describe-step.ts';

const diff = (before: unknown, after: unknown) => {
  const [found] = diffFields({ id: 'spc_1', changes: [{ field: 'title', before, after, moved: 'file' }] });
  return found;
};
const linesOf = (count: number, word = 'line') =>
  Array.from({ length: count }, (_, index) => `${word} ${index}\n`).join('');

describe('diffFields', () => {
  it('keeps a change on one line up to 100 characters', () => {
    // The limit includes the quotes.
    expect(diff('a', 'b'.repeat(98))?.lines).toBeUndefined();
    expect(diff('a', 'b'.repeat(99))?.lines).toHaveLength(2);
    expect(diff('a', 'b\nc')?.lines).toHaveLength(3);
  });

  it('shows up to 40 lines', () => {
    const old = linesOf(60);
    const change = (count: number) =>
      old.replaceAll(/^line (\d+)$/gm, (line, index) => (Number(index) < count ? `${line}!` : line));
    expect(diff(old, change(19))?.lines).toHaveLength(40);
    const cut = diff(old, change(20))?.lines;
    expect(cut).toHaveLength(41);
    expect(cut?.at(-1)).toEqual({ sign: ' ', text: '… 2 more lines' });
  });

  it('shortens a line after 400 characters', () => {
    const textOf = (length: number) => diff('a\nb', `a\n${'c'.repeat(length)}`)?.lines?.at(-1)?.text;
    expect(textOf(400)).toBe('c'.repeat(400));
    expect(textOf(401)).toBe(`${'c'.repeat(400)}… (401 characters)`);
  });

  it('shows a new text with up to 8 lines, and a longer one with its first line and size', () => {
    expect(diff(undefined, linesOf(8))?.lines).toHaveLength(8);
    expect(diff(undefined, linesOf(9))?.lines).toEqual([
      { sign: '+', text: 'line 0' },
      { sign: ' ', text: '… 9 lines, 63 bytes' },
    ]);
  });

  it('shows the first 8 items of a new list', () => {
    const lines = diff(
      undefined,
      Array.from({ length: 10 }, () => 'x'.repeat(20)),
    )?.lines;
    expect(lines).toHaveLength(9);
    expect(lines?.at(-1)).toEqual({ sign: ' ', text: '… 2 more lines' });
  });

  it('shows only the changed fields of a long map, with their paths, in any order', () => {
    const color = { light: '#346ddb', dark: '#8ab4f8' };
    const links = ['https://one.example.com', 'https://two.example.com', 'https://three.example.com'];
    const before = {
      title: 'Acme',
      styling: { theme: 'bold', primaryColor: color, font: 'Inter', corners: 'rounded' },
      header: { preset: 'none', links: [...links] },
    };
    const after = {
      header: { links: [...links.slice(1), 'https://four.example.com'], preset: 'none' },
      styling: { primaryColor: { ...color, dark: '#000000' }, theme: 'bold', font: 'Lato' },
      favicon: { emoji: '📘' },
      title: 'Acme',
    };
    expect(diff(before, after)?.lines?.map(({ sign, text }) => `${sign} ${text}`)).toEqual([
      '- header.links: - "https://one.example.com"',
      '+ header.links: - "https://four.example.com"',
      '- styling.primaryColor: { light: "#346ddb", dark: "#8ab4f8" }',
      '+ styling.primaryColor: { light: "#346ddb", dark: "#000000" }',
      '- styling.font: "Inter"',
      '+ styling.font: "Lato"',
      '- styling.corners: "rounded"',
      '+ favicon: { emoji: "📘" }',
    ]);
  });

  it('names no side that changed for a new resource', () => {
    const changes = [{ field: 'title', after: 'A', moved: 'file' as const }];
    expect(diffFields({ changes })[0]?.moved).toBeUndefined();
    expect(diffFields({ changes, id: 'spc_1' })[0]?.moved).toBe('file');
  });

  it('shows a change of protect as a field of the state file', () => {
    expect(diffFields({ changes: [], protect: true, protectWas: false })).toEqual([
      {
        field: 'protect',
        before: 'false',
        after: 'true',
        moved: undefined,
        lines: undefined,
        note: 'in the state file only',
      },
    ]);
  });
});

it.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1000, '1.0 KB'],
  [999_949, '999.9 KB'],
  [1_000_000, '1.0 MB'],
  [2e15, '2000.0 TB'],
])('formatBytes writes %d bytes as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

describe('the title of a step', () => {
  const step = { key: 'space.guide', address: 'space.guide', name: 'Guide', action: 'update' as const };

  it('contains the name unless the address ends with it', () => {
    expect(stepTitle(step)).toBe('space.guide "Guide"');
    expect(quoteTitle('section.docs/api', 'api')).toEqual([]);
    expect(quoteTitle('space.api', 'api')).toEqual([]);
    expect(quoteTitle('space.myapi', 'api')).toEqual(['"api"']);
  });

  it('contains the neighbor of a move, the ID of a deletion, and what is deleted with it', () => {
    expect(stepTitle({ ...step, beside: { after: 'space.api' } })).toBe(
      'space.guide "Guide" after space.api',
    );
    const drops = Array.from({ length: 11 }, (_, index) => `page.${index}`);
    expect(stepTitle({ ...step, action: 'delete', id: 'spc_1', drops })).toBe(
      'space.guide "Guide" (spc_1) with page.0, page.1, page.2, page.3, page.4, page.5, page.6, page.7, page.8, page.9 and 1 more',
    );
    expect(stepTitle({ ...step, id: 'spc_1', drops: ['space.old'] })).toBe(
      'space.guide "Guide" (was space.old)',
    );
  });
});

it('nameUnreadable describes the kind member as everything that names members', () => {
  expect(nameUnreadable('member')).toBe('everything that names members');
  expect(nameUnreadable('team')).toBe('team');
});
