import type { Command } from 'commander';
import { Problem } from '../../../errors/problem.ts';
import { confirm } from '../../confirm.ts';
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
      await confirm(session, { verb: 'delete', noun: 'profiles', names: [name] });
      changeSettings(session.runtime, (file) => {
        delete file.profiles[name];
        if (file.current === name) delete file.current;
      });
    }),
  );
}
