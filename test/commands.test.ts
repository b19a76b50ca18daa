import { expect, it } from 'vitest';
import { listCommands } from '../src/cli/commands/commands.ts';
import { isOperation } from '../src/contract/operation.ts';
import { nouns } from '../src/resources/index.ts';
import { docsctl, runtimeOf } from './support/cli.ts';

it('has a command for every operation, and each operation once', async () => {
  const { commands } = await listCommands(runtimeOf([], { home: '/nowhere' }).runtime);
  const own = commands.flatMap(({ operation }) => operation ?? []);
  expect(new Set(own).size).toBe(own.length);
  const contracts = await Promise.all(nouns.map((noun) => noun.contract()));
  const operations = contracts
    .flatMap((contract) => Object.values(contract) as unknown[])
    .filter(isOperation)
    .filter(({ cli }) => cli.composite !== true);
  expect(operations.length).toBeGreaterThan(200);
  expect(own.sort()).toEqual(operations.map(({ id }) => id).sort());
});

it('has a summary of its own for every command, but for those on comments of spaces and of change requests', async () => {
  const { commands } = await listCommands(runtimeOf([], { home: '/nowhere' }).runtime);
  const summaries = commands.flatMap(({ id, summary }) => (id.includes(' comments ') ? [] : [summary]));
  expect(summaries.filter((summary, at) => summaries.indexOf(summary) < at)).toEqual([]);
});

it('describes commands as data', async () => {
  const { stdout } = await docsctl(['commands', '-o', 'json'], { home: '/nowhere' });
  const { items, globalOptions } = JSON.parse(stdout);
  const add = items.find(({ id }: { id: string }) => id === 'sites sections add');
  expect(add).toMatchObject({
    usage: 'docsctl sites sections add <space...> --site <site> [options]',
    arguments: [{ name: 'space', required: true, variadic: true }],
    operation: 'sites.sections.add',
    access: 'site.admin',
  });
  expect(add.options[0]).toMatchObject({ name: 'site', value: '<site>', required: true, type: 'text' });
  expect(add.exitCodes).toHaveProperty('5');
  expect(globalOptions.map(({ name }: { name: string }) => name)).toContain('output');
});
