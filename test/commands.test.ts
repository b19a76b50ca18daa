import { expect, it } from 'vitest';
import { listCommands } from '../src/cli/commands/commands.ts';

it('has a command for every operation, and each operation once', async () => {
  const operations = (await listCommands()).filter(({ operation }) => operation !== null);
  expect(operations.length).toBeGreaterThan(200);
  expect(new Set(operations.map(({ method, path }) => `${method} ${path}`)).size).toBe(operations.length);
});
