import { addLiveOptions, type LiveOptions } from '../manifest/options.ts';
import { printRehearsal } from '../manifest/print-rehearsal.ts';
import { rehearseManifest } from '../manifest/rehearse-manifest.ts';
import type { DefineCommand } from '../composite-command.ts';
import type { CommandHelp } from '../command-help.ts';

export const help: CommandHelp = {
  description: `
Copies what is live into memory, applies the manifest to the copy, and says how each step went: what a plan cannot see,
such as a name that is taken, a merge that is not allowed, or a change that is refused, shows here. Of the live side
nothing is changed, nor of the lock; ids are the live ones, and what would be made has none yet.

It exits as the apply would: 0 where all would be done, 3 where some would fail or would never settle, 10 where something
cannot be done there; what would wait for approval is no failure. Content is copied of spaces whose folder differs; jobs are not rehearsed. A copy has no secrets, no invitations, no tokens,
no change requests, no other organization whose names may be taken, and fetches nothing; what else it does not have is
told, and steps that need it are "unrehearsed".
`,
  examples: [
    'docsctl rehearse -f docsctl.yaml',
    `docsctl rehearse -f org/ --prune -o json --query "rows[?status=='failed'].problem.message"`,
  ],
};

export const define: DefineCommand = (command, inSession) => {
  addLiveOptions(command)
    .option('--detailed-exitcode', 'exit 2 when content would wait for approval, 0 when it would not')
    .action(
      inSession(async (session) => {
        const options = command.opts<LiveOptions>();
        await printRehearsal(session, await rehearseManifest(session, options), options);
      }),
    );
};
