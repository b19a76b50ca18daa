import type { CommandHelp, DefineCommand } from '../composite-command.ts';
import { readHistory } from '../session/history.ts';
import { readWholeNumber } from '../input/whole-number.ts';

const columns = ['at', 'command', 'done', 'failed', 'place'];
const fields = [...columns, 'requests'];

export const help: CommandHelp = {
  columns: fields,
  description: `
Lists the commands on this machine that changed something or failed to do so, newest first, with the store or server and the
numbers of requests that succeeded and failed. With \`-o json\`, shows the method, path and outcome of each request, up to 100 for
a command.

The history is the file history.ndjson in the settings folder, which only you can read. It has no names, content or tokens, and is
never sent. At most 2 MB are kept. Set DOCSCTL_HISTORY=off to keep no history.
`,
  examples: ['docsctl history', 'docsctl history --limit 1 -o json'],
};

export const define: DefineCommand = (command, inSession) => {
  command.option('--limit <number>', 'number of commands to list (default: 50)').action(
    inSession(async (session, { limit = '50' }: { limit?: string }) => {
      const count = readWholeNumber('--limit', limit, { min: 1 });
      const all = readHistory(session.runtime);
      const items = all.slice(0, count);
      await session.printAll(items, {
        columns,
        noun: 'commands',
        idField: 'at',
        fields,
      });
      if (items.length < all.length)
        session.note(`Showing ${items.length} of ${all.length}. --limit shows more.`);
    }),
  );
};
