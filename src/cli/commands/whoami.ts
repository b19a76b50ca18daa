import type { Command } from 'commander';
import { me } from '../../resources/users/contract.ts';
import type { RunInSession } from '../composite-command.ts';

export function define(command: Command, run: RunInSession): void {
  command.action(() =>
    run(async (session) => {
      const user = await session.call(me, {});
      await session.print(user, { columns: ['id', 'displayName', 'email'] });
      const { place } = await session.api();
      if (session.terminal.stderrIsTTY) session.note(`on ${place}`);
    }),
  );
}
