import { readState } from '../../manifest/state-file.ts';
import { openStateTarget } from '../manifest/target.ts';
import { addLockOption } from '../manifest/options.ts';
import { printRows } from '../manifest/print-report.ts';
import type { Session } from '../session.ts';
import type { DefineCommand } from '../composite-command.ts';
import type { CommandHelp } from '../command-help.ts';

export const help: CommandHelp = {
  description: `
Shows what the lock says, without a look at what is live. \`fields\` are those that the last apply left as stated.
`,
  examples: ['docsctl lock list', 'docsctl lock list --sort-by kind -o csv'],
};

export const define: DefineCommand = (command, inSession) => {
  addLockOption(command).action(inSession(list));
};

async function list(session: Session, { lock }: { readonly lock?: string }): Promise<void> {
  const { stateOptions } = await openStateTarget(session, lock);
  const items = readState(stateOptions)
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
  const columns = ['ref', 'kind', 'id', 'protect'];
  const known = ['ref', 'kind', 'id', 'parent', 'protect', 'fields'];
  await printRows(session, items, { columns, noun: 'resources', fields: known, idField: 'ref' });
}
