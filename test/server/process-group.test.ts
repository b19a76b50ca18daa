import { expect, it } from 'vitest';
import { ProcessGroup } from '../../src/server/process-group.ts';

it('counts no ready processes and no restarts before it starts', async () => {
  const group = new ProcessGroup({
    count: 2,
    clock: () => 0,
    ownMetrics: async () => [],
    onEvent: () => undefined,
    tls: undefined,
  });
  const families = await group.metrics();
  expect(families.map(({ name, series }) => [name, ...series])).toEqual([
    ['docsctl_processes_ready', ['docsctl_processes_ready', 0]],
    ['docsctl_process_restarts_total', ['docsctl_process_restarts_total', 0]],
  ]);
});
