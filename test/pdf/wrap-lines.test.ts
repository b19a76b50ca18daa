import { expect, it } from 'vitest';
import { createDocument } from '../../src/pdf/engine.ts';
import { Fonts } from '../../src/pdf/fonts.ts';
import type { Span } from '../../src/pdf/spans.ts';
import { wrapLines } from '../../src/pdf/wrap-lines.ts';

it('breaks a line of combining marks without width', async () => {
  const doc = await createDocument({ title: '', createdAt: '2026-01-05T10:00:00Z' }, false);
  const span: Span = {
    text: `a${'\u0301'.repeat(10_000)}`,
    face: 'regular',
    size: 10,
    color: '#000000',
    target: undefined,
  };
  const lines = [...wrapLines([span], new Fonts(doc, ''), { width: 400, leading: 1.4, size: 10 })];
  const lengths = lines.map(({ pieces }) =>
    pieces.flatMap(({ runs }) => runs).reduce((sum, run) => sum + run.text.length, 0),
  );
  expect(Math.max(...lengths)).toBeLessThanOrEqual(2_200);
  expect(lengths.reduce((sum, length) => sum + length)).toBe(10_001);
});

it('keeps the words of a line in one piece, with a run for each change of the font', async () => {
  const doc = await createDocument({ title: '', createdAt: '2026-01-05T10:00:00Z' }, false);
  const span: Span = {
    // The monospaced font has no Tifinagh.
    text: 'two words ⴰⴱ and more',
    face: 'mono',
    size: 10,
    color: '#000000',
    target: undefined,
  };
  const [line, ...others] = wrapLines([span], new Fonts(doc, ''), { width: 400, leading: 1.4, size: 10 });
  expect(others).toEqual([]);
  expect(line?.pieces.map(({ runs }) => runs.map(({ text }) => text))).toEqual([
    ['two words ', 'ⴰⴱ', ' and more'],
  ]);
  const [runs = []] = line?.pieces.map((piece) => piece.runs) ?? [];
  expect(new Set(runs.map(({ font }) => font)).size).toBe(2);
});

it('breaks lines after any Chinese character, but not next to brackets and punctuation', async () => {
  const doc = await createDocument({ title: '', createdAt: '2026-01-05T10:00:00Z' }, false);
  const text = '「漢字」、漢、字。'.repeat(20);
  const span: Span = { text, face: 'regular', size: 10, color: '#000000', target: undefined };
  for (const width of [60, 64, 68, 72, 76, 80]) {
    const lines = [...wrapLines([span], new Fonts(doc, ''), { width, leading: 1.4, size: 10 })];
    const lengths = lines.map(({ pieces }) =>
      pieces.flatMap(({ runs }) => runs).reduce((sum, run) => sum + run.text.length, 0),
    );
    let at = 0;
    for (const length of lengths)
      expect(text.slice(at, (at += length)), `width ${width}`).not.toMatch(/^[」、。]|「$/);
    expect(at).toBe(text.length);
    // At most three characters stay together.
    const perLine = Math.max(...lengths);
    for (const length of lengths.slice(0, -1)) expect(length).toBeGreaterThan(perLine - 3);
  }
});

it('breaks a very long word so that it fills each line', async () => {
  const doc = await createDocument({ title: '', createdAt: '2026-01-05T10:00:00Z' }, false);
  const text = 'a'.repeat(500);
  const span: Span = { text, face: 'mono', size: 10, color: '#000000', target: undefined };
  const lines = [...wrapLines([span], new Fonts(doc, ''), { width: 340, leading: 1.4, size: 10 })];
  const [first, ...lengths] = lines.map(({ pieces }) =>
    pieces.flatMap(({ runs }) => runs).reduce((sum, run) => sum + run.text.length, 0),
  );
  expect(new Set([first, ...lengths.slice(0, -1)])).toEqual(new Set([first]));
  expect(lengths.reduce((sum, length) => sum + length, first ?? 0)).toBe(500);
});

it('draws a picture as high as its line, or in its own size', async () => {
  const doc = await createDocument({ title: '', createdAt: '2026-01-05T10:00:00Z' }, false);
  const picture = { width: 200, height: 100, draw: () => {} };
  const sizeOf = (original?: Span['original'], size = picture): number[] => {
    const span: Span = {
      text: '',
      face: 'regular',
      size: 10,
      color: '#000000',
      target: undefined,
      picture: size,
      ...(original === undefined ? {} : { original }),
    };
    const [line] = wrapLines([span], new Fonts(doc, ''), { width: 400, leading: 1.4, size: 10 });
    return [line?.width ?? 0, Math.round(line?.height ?? 0)];
  };
  expect(sizeOf()).toEqual([32, 17]);
  expect(sizeOf({ width: undefined })).toEqual([200, 101]);
  expect(sizeOf({ width: '80' })).toEqual([60, 31]);
  expect(sizeOf({ width: '50%' })).toEqual([200, 101]);
  expect(sizeOf({ width: '9000' })).toEqual([400, 201]);
  expect(sizeOf({ width: undefined }, { ...picture, height: 6000 })).toEqual([10, 301]);
});
