import { expect, it } from 'vitest';
import { engineOf, jobKinds } from '../../src/resources/engines.ts';
import { docsctl } from '../support/cli.ts';

it('every kind of jobs but that of git has an engine', async () => {
  expect(jobKinds).toContain('git-sync');
  for (const kind of jobKinds.filter((each) => each !== 'git-sync'))
    expect(await engineOf(kind)).toBeDefined();
  await expect(engineOf('toString')).rejects.toThrow('no engine for jobs of kind toString');
});

it('jobs run refuses other kinds', async () => {
  const { exit, stderr } = await docsctl(['jobs', 'run', '--kind', 'translations'], { home: '/' });
  expect([exit, stderr]).toEqual([64, expect.stringContaining(jobKinds.join(', '))]);
});
