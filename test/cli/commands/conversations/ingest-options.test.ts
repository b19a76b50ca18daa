import { expect, it } from 'vitest';
import { readOptions } from '../../../../src/cli/commands/conversations/ingest-options.ts';

const read = (more: object = {}) => readOptions({ onDuplicate: 'replace', concurrency: '2', ...more });

it.each(['1', '64'])('accepts --concurrency %s', (concurrency) => {
  expect(read({ concurrency }).concurrency).toBe(Number(concurrency));
});

it.each(['0', '65', '1.5', 'two', ''])('refuses --concurrency %j', (concurrency) => {
  expect(() => read({ concurrency })).toThrow('--concurrency takes a whole number from 1 to 64');
});

it('computes IDs from contents only with --id-from content, and redacts nothing by default', () => {
  expect(read()).toMatchObject({
    idFromContent: false,
    redact: [],
    format: undefined,
    onDuplicate: 'replace',
  });
  expect(read({ idFrom: 'content', redact: 'email, phone' })).toMatchObject({
    idFromContent: true,
    redact: ['email', 'phone'],
  });
});
