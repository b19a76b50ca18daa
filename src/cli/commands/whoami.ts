import type { Command } from 'commander';
import { me } from '../../resources/users/contract.ts';
import type { RunInSession } from '../composite-command.ts';

export function define(command: Command, run: RunInSession): void {
  command.action(() =>
    run(async (session) => {
      const api = await session.api();
      const user = await api.call(me, {}, { signal: session.runtime.signal });
      const printer = await session.printer({ columns: ['id', 'displayName', 'email'] });
      await printer.one(user);
      await printer.end();
      if (session.terminal.stderrIsTTY) session.note(`on ${api.place}`);
    }),
  );
}
