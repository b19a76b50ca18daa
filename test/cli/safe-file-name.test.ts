import fc from 'fast-check';
import { expect, it } from 'vitest';
import { safeFileName } from '../../src/cli/save-file.ts';

it.each([
  ['Übersicht 2 (neu).png', 'Übersicht 2 (neu).png'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\Windows\\a.txt', 'a.txt'],
  ['.bashrc', '_bashrc'],
  ['-rf', '_rf'],
  ['..', 'file'],
  ['', 'file'],
  ['a/', 'file'],
  ['a\r\n\u001b[31mb', 'a___[31mb'],
  ['gnp.\u202etxt', 'gnp._txt'],
  ['what?.md', 'what_.md'],
  ['nul.txt', '_nul.txt'],
  ['end. .', 'end'],
  [`${'é'.repeat(300)}.tar`, `${'é'.repeat(125)}.tar`],
  ['\ud800x', '_x'],
])('%j is saved as %j', (name, saved) => {
  expect(safeFileName(name)).toBe(saved);
});

it('is always one plain name of at most 255 bytes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (name) => {
      const saved = safeFileName(name);
      expect(saved).toMatch(/^[^.\-/\\\p{C}][^/\\\p{C}]*$/u);
      expect(Buffer.byteLength(saved)).toBeLessThanOrEqual(255);
      expect(safeFileName(saved)).toBe(saved);
    }),
  );
});
