import type { Command } from 'commander';
import { Problem } from '../../errors/problem.ts';
import { readSettingsFile } from '../settings.ts';
import { changeSettings } from '../settings-file.ts';
import type { RunInSession } from '../composite-command.ts';

export function define(command: Command, run: RunInSession): void {
  command.action(() =>
    run(async (session) => {
      const file = readSettingsFile(session.runtime);
      const name = session.flags.profile ?? file.current;
      if (name === undefined || file.profiles?.[name] === undefined)
        throw new Problem('not-found', 'There is no profile to log out of.', {
          hint: '`docsctl profiles list` shows them.',
        });
      changeSettings(session.runtime, (changed) => {
        const { token: _, ...rest } = changed.profiles[name]!;
        changed.profiles[name] = rest;
      });
      session.note(
        `The token of profile "${name}" is forgotten here; \`docsctl tokens delete\` ends it on the server.`,
      );
    }),
  );
}
