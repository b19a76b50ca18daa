import { expect, it } from 'vitest';
import { openLog } from '../../src/cli/open-log.ts';
import { runtimeOf } from '../support/cli.ts';

/** What a log writes to standard error, which is a terminal or not. */
async function written(attended: boolean, logFormat?: 'json' | 'text'): Promise<string> {
  const { runtime, err } = runtimeOf([], { home: '/nowhere', attended });
  const log = await openLog({ ...runtime, clock: () => 0 }, { logLevel: 'info', logFormat });
  log.write('info', { event: 'job', message: 'a\u009b2Jb\u202e\u001b[0m' });
  log.write('debug', { event: 'job', message: 'not written' });
  return err.bytes().toString();
}

it('writes text to a terminal and JSON elsewhere, unless a format is given', async () => {
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
