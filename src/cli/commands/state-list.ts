import { readState } from '../../manifest/state-file.ts';
import { openStateTarget } from '../manifest/target.ts';
import { addStateSourceOptions, type StateSource } from '../manifest/options.ts';
import { addLimitOption, printLimited } from '../input/limit-rows.ts';
import type { Session } from '../session/session.ts';
import { withOwnSource } from '../manifest/source-in-hints.ts';
import type { CommandHelp, DefineCommand } from '../composite-command.ts';

const columns = ['ref', 'kind', 'id', 'protect'];
const known = ['ref', 'kind', 'id', 'parent', 'protect', 'fields'];

export const help: CommandHelp = {
  columns: known,
  description: `
Lists the entries of the state file without reading the organization. The field "fields" (with --columns or -o json) names
the fields that the last apply set.
`,
  examples: ['docsctl state list', 'docsctl state list --sort-by kind -o csv'],
};

export const define: DefineCommand = (command, inSession) => {
  addLimitOption(addStateSourceOptions(command), 'resources').action(inSession(withOwnSource(command, list)));
};

interface Options extends StateSource {
  readonly limit?: number;
}

async function list(session: Session, source: Options): Promise<void> {
  const { stateOptions } = await openStateTarget(session, source);
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
  const defaults = { columns, noun: 'resources', fields: known, idField: 'ref' };
  await printLimited(session, items, source.limit, defaults);
}
