import { plural } from '../../contract/values.ts';
import { chooseEntriesToForget, type OwnedEntry } from '../../manifest/choose-entries-to-forget.ts';
import { readState } from '../../manifest/state-file.ts';
import { confirm } from '../confirm/confirm.ts';
import { withLockedState } from '../manifest/target.ts';
import { openStateTarget } from '../manifest/target.ts';
import { addStateSourceOptions, type StateSource } from '../manifest/options.ts';
import { readArguments } from '../input/files.ts';
import type { Session } from '../session/session.ts';
import { withOwnSource } from '../manifest/source-in-hints.ts';
import type { CommandHelp, DefineCommand } from '../composite-command.ts';

interface Options extends StateSource {
  readonly force?: boolean;
}

export const help: CommandHelp = {
  description: `
Removes resources, and everything inside them, from the state file. The manifest no longer owns them, so --prune never
deletes them. Nothing in the organization is changed.

If the block of a resource is still in the manifest, the next apply adopts an existing resource with the same title or path,
or else creates a new one.
`,
  examples: ['docsctl forget space.changelog --yes', 'docsctl forget collection.library --dry-run'],
};

export const define: DefineCommand = (command, inSession) => {
  addStateSourceOptions(
    command.argument(
      '<ref...>',
      'resource of the state file, for example space.guide; - reads them from standard input',
    ),
  )
    .option('--force', 'also forget protected resources, instead of failing')
    .action(inSession(withOwnSource(command, forget)));
};

async function forget(session: Session, refs: readonly string[], options: Options): Promise<void> {
  const addresses = await readArguments(session, refs);
  const { force } = options;
  const target = await openStateTarget(session, options);
  if (session.flags.dryRun === true) {
    await print(session, chooseEntriesToForget(readState(target.stateOptions), addresses, { force }));
    return session.note('Dry run: the state file was not written.');
  }
  await withLockedState(target, async ({ state, save }) => {
    const chosen = chooseEntriesToForget(state, addresses, { force });
    await confirm(session, {
      verb: 'forget',
      noun: 'resources',
      names: chosen.map(({ address }) => address),
    });
    for (const { address } of chosen) state.delete(address);
    await save();
    await print(session, chosen);
    session.note(`${plural(chosen.length, 'resource')} forgotten. Nothing in the organization was changed.`);
  });
}

async function print(session: Session, chosen: readonly OwnedEntry[]): Promise<void> {
  const items = chosen.map(({ address, owned: { kind, id, protect = false } }) => ({
    ref: address,
    kind,
    id,
    protect,
  }));
  const columns = ['ref', 'kind', 'id'];
  const fields = [...columns, 'protect'];
  await session.printAll(items, { columns, noun: 'resources', fields, idField: 'ref' });
}
