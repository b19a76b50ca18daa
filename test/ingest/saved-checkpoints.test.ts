import { expect, it } from 'vitest';
import { openSavedCheckpoints } from '../../src/ingest/saved-checkpoints.ts';
import { temporaryFolder } from '../stores/fixtures.ts';

it('checkpoints are read again by the same job, even in the first line of a file, until it is complete', () => {
  const settingsFolder = temporaryFolder();
  let time = 0;
  const open = (job: string) =>
    openSavedCheckpoints({ settingsFolder, clock: () => (time += 1000) }, [job], true);
  const checkpoint = { bytes: 30, line: 0, printed: 30, print: '0'.repeat(64) };
  const first = open('a');
  first.set('a.json', checkpoint);
  expect([open('a').get('a.json'), open('b').get('a.json')]).toEqual([checkpoint, undefined]);
  first.forget();
  expect(open('a').get('a.json')).toBeUndefined();
});
