import { expect, it } from 'vitest';
import { engineOf } from '../../src/resources/engines.ts';
import { jobKinds } from '../../src/resources/jobs/contract.ts';
import { openGuideStore } from '../cli/guide-store.ts';

it('every kind of job except git-sync has an engine', async () => {
  expect(jobKinds).toContain('git-sync');
  for (const kind of jobKinds.filter((each) => each !== 'git-sync'))
    expect(await engineOf(kind)).toBeDefined();
  await expect(engineOf('toString')).rejects.toThrow('no engine for jobs of kind toString');
});

it('jobs run and jobs list refuse unknown kinds and name the existing ones', async () => {
  const desk = await openGuideStore();
  try {
    for (const command of ['run', 'list']) {
      const { exit, stderr } = await desk.run(['jobs', command, '--kind', 'translations']);
      expect([command, exit, stderr]).toEqual([command, 8, expect.stringContaining(jobKinds.join(', '))]);
    }
    expect((await desk.run(['jobs', 'list', '--kind', 'openapi'])).exit).toBe(0);
  } finally {
    await desk.discard();
  }
});
