import { readState } from '../../manifest/state-file.ts';
import { openLock } from '../manifest/lock-place.ts';
import { addLockOption } from '../manifest/options.ts';
import type { Session } from '../session.ts';
import type { DefineCommand } from '../composite-command.ts';

export const define: DefineCommand = (command, inSession) => {
  addLockOption(command)
    .addHelpText(
      'after',
      '\nShows what the lock says, without a look at what is live. `fields` are those that the last apply left as stated.\n\nExamples:\n  docsctl lock list\n  docsctl lock list --sort-by kind -o csv\n',
    )
    .action(inSession(list));
};

async function list(session: Session, { lock }: { readonly lock?: string }): Promise<void> {
  const { lockOptions } = await openLock(session, lock);
  const items = readState(lockOptions)
    .entries()
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([address, { kind, id, parent = null, protect = false, fields }]) => ({
      ref: address,
      kind,
      id,
      parent,
      protect,
      fields: Object.keys(fields).sort(),
    }));
  const printer = await session.printer({
    columns: ['ref', 'kind', 'id', 'protect'],
    noun: 'resources',
    fields: ['ref', 'kind', 'id', 'parent', 'protect', 'fields'],
    idField: 'ref',
  });
  await printer.page({ items, count: items.length });
  await printer.end();
}
