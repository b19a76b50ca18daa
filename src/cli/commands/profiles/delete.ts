import type { Command } from 'commander';
import type { RunInSession } from '../../composite-command.ts';
import { confirm } from '../../confirm.ts';
import { changeSettings, checkProfile } from '../../settings-file.ts';

export function define(command: Command, run: RunInSession): void {
  command.argument('<profile>', 'as `docsctl profiles list` shows it').action((name: string) =>
    run(async (session) => {
      checkProfile(session.runtime, name);
      await confirm(session, { verb: 'delete', noun: 'profiles', names: [name] });
      changeSettings(session.runtime, (file) => {
        delete file.profiles[name];
        if (file.current === name) delete file.current;
      });
    }),
  );
}
