import { expect, it } from 'vitest';
import { listCommands } from '../src/cli/commands/commands.ts';

/** What is declared and cannot be done yet. This list only shrinks. */
const waiting: readonly string[] = [];

it('declares every operation, and says which cannot be done yet', async () => {
  const commands = await listCommands();
  expect(commands.filter(({ works }) => !works).map(({ id }) => id)).toEqual(waiting);
  const operations = commands.filter(({ operation }) => operation !== null);
  expect(new Set(operations.map(({ method, path }) => `${method} ${path}`)).size).toBe(operations.length);
});
