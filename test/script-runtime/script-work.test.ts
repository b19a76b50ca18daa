import { expect, it } from 'vitest';
import { defaultScriptLimits, type ScriptAnswer, type ScriptLog } from '../../src/core/scripts.ts';
import type { FetchAnswer, FetchRequest } from '../../src/script-runtime/protocol.ts';
import { ScriptWork } from '../../src/script-runtime/script-work.ts';

const answered: FetchAnswer = {
  status: 200,
  headers: {},
  url: 'https://example.com/',
  body: new Uint8Array(),
};
const request: FetchRequest = { url: 'https://example.com/', method: 'GET', headers: [], redirect: 'follow' };

function workWith(fetch: () => Promise<FetchAnswer>): ScriptWork {
  return new ScriptWork(
    {
      integration: 'bot',
      version: '1',
      form: 'v2',
      script: async () => '',
      message: { event: { type: 'task', eventId: 'evt_1' }, environment: {} },
    },
    { limits: defaultScriptLimits, fetch },
  );
}

it('sends six requests of a message at once, and each further one after an answer', async () => {
  const open: (() => void)[] = [];
  let sent = 0;
  const work = workWith(() => {
    sent++;
    return new Promise((resolve) => open.push(() => resolve(answered)));
  });
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  };
  const all = Array.from({ length: 9 }, () => work.fetch(request));
  await settle();
  expect(sent).toBe(6);
  open.shift()?.();
  await settle();
  expect(sent).toBe(7);
  work.finish(undefined);
  await settle();
  expect(sent).toBe(7);
  for (const answer of open) answer();
  const outcomes = await Promise.allSettled(all);
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(2);
});

const body = new Uint8Array();

it.each([
  ['a header with a line break', { status: 200, headers: [['x-a', 'b\r\nset-cookie: c']] }],
  ['a header without a value', { status: 200, headers: [['x-a']] }],
  ['an invalid header name', { status: 200, headers: [['x a', 'b']] }],
  ['headers that are not a list', { status: 200, headers: 7 }],
  ['an invalid status', { status: 1000, headers: [] }],
  ['a status that is a text', { status: '200', headers: [] }],
])('refuses an answer with %s', async (_, head) => {
  const work = workWith(async () => answered);
  work.answer({ ...head, body } as unknown as ScriptAnswer);
  work.finish(undefined);
  expect(await work.result).toEqual({
    logs: [],
    error: 'The script failed: the status or the headers of its answer are not valid.',
  });
});

it('logs only strings with known levels', async () => {
  const work = workWith(async () => answered);
  const log = { level: 'fatal', message: { a: 1 }, timestamp: '2026-01-05T09:00:00.000Z' };
  work.note(log as unknown as ScriptLog);
  work.finish(undefined);
  expect((await work.result).logs).toEqual([{ ...log, level: 'info', message: '[object Object]' }]);
});

it.each([
  ['whose toString is not a function', { toString: 1 }],
  ['that is deep', JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as unknown],
])('logs a placeholder for a value %s', async (_, value) => {
  const work = workWith(async () => {
    throw new Error('refused');
  });
  work.note({ level: 'info', message: value, timestamp: '2026-01-05T09:00:00.000Z' } as unknown as ScriptLog);
  const sent = work.fetch({ ...request, url: value as string });
  await expect(sent).rejects.toThrow('fetch failed: refused');
  work.finish(undefined);
  expect((await work.result).logs.map(({ message }) => message)).toEqual([
    '[not readable]',
    'GET [not readable]: refused',
  ]);
});
