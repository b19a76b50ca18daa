import { chooseEntriesToForget, type OwnedEntry } from '../../manifest/choose-entries-to-forget.ts';
import { readState } from '../../manifest/state-file.ts';
import { confirm } from '../confirm.ts';
import { withLockedState } from '../manifest/target.ts';
import { openStateTarget } from '../manifest/target.ts';
import { addLockOption } from '../manifest/options.ts';
import { printRows } from '../manifest/print-report.ts';
import { readArguments } from '../files.ts';
import type { Session } from '../session.ts';
import type { DefineCommand } from '../composite-command.ts';
import type { CommandHelp } from '../command-help.ts';

interface Options {
  readonly lock?: string;
  readonly force?: boolean;
}

export const help: CommandHelp = {
  description: `
Takes resources, and what lies in them, out of the lock: the manifest owns them no longer, and no --prune deletes them. All
stays as it is. A block that is still in the manifest finds its resource again by its title or path, or makes a new one.
`,
  examples: ['docsctl forget space.guide', 'docsctl forget site.docs --dry-run'],
};

export const define: DefineCommand = (command, inSession) => {
  addLockOption(command.argument('<ref...>', 'as in space.guide; - for refs on standard input'))
    .option('--force', 'forget what is protected as well')
    .action(inSession(forget));
};

async function forget(
  session: Session,
  refs: readonly string[],
  { lock: named, force }: Options,
): Promise<void> {
  const addresses = await readArguments(session, refs);
  const target = await openStateTarget(session, named);
  if (session.flags.dryRun === true) {
    await print(session, chooseEntriesToForget(readState(target.stateOptions), addresses, { force }));
    return session.note('Dry run: the lock was not written.');
  }
  await withLockedState(target, async ({ state, save }) => {
    const chosen = chooseEntriesToForget(state, addresses, { force });
    await confirm(session, { verb: 'forget', noun: 'lock', names: chosen.map(({ address }) => address) });
    for (const { address } of chosen) state.delete(address);
    await save();
    await print(session, chosen);
    session.note(`${chosen.length} forgotten; nothing live was changed.`);
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
  await printRows(session, items, { columns, noun: 'resources', fields, idField: 'ref' });
}
