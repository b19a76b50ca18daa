import type { Command } from 'commander';
import { Problem } from '../../../errors/problem.ts';
import { readSettingsFile } from '../../settings.ts';
import { changeSettings } from '../../settings-file.ts';
import type { RunInSession } from '../../composite-command.ts';

export function define(command: Command, run: RunInSession): void {
  command.argument('<profile>', 'as `docsctl profiles list` shows it').action((name: string) =>
    run(async (session) => {
      if (readSettingsFile(session.runtime).profiles?.[name] === undefined)
        throw new Problem('not-found', `There is no profile "${name}".`, {
          hint: '`docsctl profiles list` shows them.',
        });
      changeSettings(session.runtime, (file) => {
        file.current = name;
      });
      session.note(`Profile "${name}" is used from now on.`);
    }),
  );
}
