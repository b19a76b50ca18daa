import type { Command } from 'commander';
import type { RunInSession } from '../../composite-command.ts';
import { changeSettings, checkProfile } from '../../settings-file.ts';

export function define(command: Command, run: RunInSession): void {
  command.argument('<profile>', 'as `docsctl profiles list` shows it').action((name: string) =>
    run(async ({ runtime, note }) => {
      checkProfile(runtime, name);
      changeSettings(runtime, (file) => {
        file.current = name;
      });
      note(`Profile "${name}" is used from now on.`);
    }),
  );
}
