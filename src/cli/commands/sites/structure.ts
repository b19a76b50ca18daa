import type { Command } from 'commander';
import { nounOf } from '../../../resources/index.ts';
import type { Operation } from '../../../contract/operation.ts';
import { Problem } from '../../../errors/problem.ts';
import { createNames } from '../../names.ts';
import { drawTree, type TreeNode } from '../../output/tree.ts';
import type { RunInSession } from '../../composite-command.ts';
import { createTheme } from '../../output/style.ts';

/** A section, group or space as a structure shows it. */
export interface Item {
  readonly object: string;
  readonly id: string;
  readonly title: string;
  readonly path?: string;
  readonly default?: boolean;
  readonly hidden?: boolean;
  readonly condition?: string;
  readonly children?: readonly Item[];
  readonly siteSpaces?: readonly Item[];
}

export function define(command: Command, run: RunInSession): void {
  command
    .argument('[site]', 'site, by id or title')
    .option('--site <id|name>', 'the site')
    .action((given: string | undefined, options: { site?: string }) =>
      run(async (session) => {
        const site = given ?? options.site;
        if (site === undefined)
          throw new Problem('usage', 'Which site?', {
            hint: 'Give it by position or as --site; `docsctl sites list` shows them.',
          });
        const names = createNames(session);
        const organizationId = await names.resolve('organizationId', undefined, {}, '');
        const siteId = await names.resolve('siteId', site, { organizationId }, '');
        const operation = await structureOperation();
        const api = await session.api();
        const body = (await api.call(
          operation,
          { params: { organizationId, siteId } },
          {
            signal: session.runtime.signal,
          },
        )) as unknown as { structure: readonly Item[] };
        if (session.format !== 'table') {
          const printer = await session.printer();
          await printer.one(body);
          return printer.end();
        }
        const { terminal } = session;
        await terminal.stdout.write(
          drawTree(
            { label: site, children: body.structure.map(nodeOf) },
            await createTheme(terminal.color && terminal.stdoutIsTTY),
          ),
        );
      }),
    );
}

async function structureOperation(): Promise<Operation> {
  const contract = await nounOf('sites.structure').contract();
  return Object.values(contract).find(
    (value: Partial<Operation>) => value.method === 'GET' && value.path?.endsWith('/structure'),
  ) as Operation;
}

/** Its line in a tree, with what lies below it. */
export function nodeOf(item: Item): TreeNode {
  const notes = [
    item.path === undefined ? undefined : `/${item.path}`,
    item.default === true ? 'default' : undefined,
    item.hidden === true ? 'hidden' : undefined,
    item.condition === undefined ? undefined : `if ${item.condition}`,
    item.id,
  ];
  return {
    label: item.title,
    note: notes.filter((note) => note !== undefined).join(' · '),
    children: [...(item.children ?? []), ...(item.siteSpaces ?? [])].map(nodeOf),
  };
}
