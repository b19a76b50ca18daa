import { expect, it, vi } from 'vitest';
import { openLog } from '../../../src/cli/serve/open-log.ts';
import { runtimeOf } from '../../support/cli.ts';

/** Returns what a log writes to standard error, which is a terminal if `attended`. */
async function written(attended: boolean, logFormat?: 'json' | 'text'): Promise<string> {
  const { runtime, err } = runtimeOf([], { home: '/nowhere', attended });
  const log = openLog({ ...runtime, clock: () => 0 }, { logLevel: 'info', logFormat });
  log.write('info', { event: 'job', message: 'a\u009b2Jb\u202e\u001b[0m' });
  log.write('debug', { event: 'job', message: 'not written' });
  return vi.waitUntil(() => err.bytes().toString());
}

it('openLog writes text to a terminal and JSON otherwise, unless a format is given', async () => {
  const text = '1970-01-01T00:00:00.000Z INFO  job a\\u009b2Jb\\u202e\\u001b[0m\n';
  expect(await written(true)).toBe(text);
  expect(await written(false, 'text')).toBe(text);
  const json = await written(false);
  expect(await written(true, 'json')).toBe(json);
  expect(json).toMatch(/^[\n -~]*$/);
  expect(JSON.parse(json)).toEqual({
    level: 'info',
    time: '1970-01-01T00:00:00.000Z',
    event: 'job',
    message: 'a\u009b2Jb\u202e\u001b[0m',
  });
});

it('openLog writes entries in order, even while its writer is loading', async () => {
  const { runtime, err } = runtimeOf([], { home: '/nowhere', attended: false });
  const log = openLog({ ...runtime, clock: () => 0 }, { logLevel: 'warn' });
  expect((['error', 'warn', 'info', 'debug'] as const).map(log.isEnabled)).toEqual([
    true,
    true,
    false,
    false,
  ]);
  const written = (): string[] => {
    const lines = err.bytes().toString().split('\n').slice(0, -1);
    return lines.map((line) => String((JSON.parse(line) as { message: unknown }).message));
  };
  log.write('warn', { event: 'job', message: 'one' });
  log.write('info', { event: 'job', message: 'not written' });
  log.write('error', { event: 'job', message: 'two' });
  // After the first entry was written, later ones are written immediately.
  await vi.waitUntil(() => written().length > 0);
  log.write('warn', { event: 'job', message: 'three' });
  expect(written()).toEqual(['one', 'two', 'three']);
});
