import { me } from '../../resources/users/contract.ts';
import type { DefineCommand } from '../composite-command.ts';
import type { CommandHelp } from '../command-help.ts';

export const help: CommandHelp = {
  examples: [],
};

export const define: DefineCommand = (command, inSession) => {
  command.action(
    inSession(async (session) => {
      const user = await session.call(me, {});
      await session.print(user, { columns: ['id', 'displayName', 'email'] });
      const { place } = await session.api();
      if (session.terminal.stderrIsTTY) session.note(`on ${place}`);
    }),
  );
};
