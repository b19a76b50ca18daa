import { addLiveOptions, type LiveOptions } from '../manifest/options.ts';
import { printRehearsal } from '../manifest/print-rehearsal.ts';
import { rehearseManifest } from '../manifest/rehearse-manifest.ts';
import type { DefineCommand } from '../composite-command.ts';
import type { CommandHelp } from '../command-help.ts';

export const help: CommandHelp = {
  description: `
Copies the organization into memory, applies the manifest to the copy, and shows the result of each step. It finds problems
that a plan cannot see, such as a name that is taken or a merge that is not allowed. Neither the organization nor the
state file is changed.

The exit code is that of the apply: 0 if everything would be done, 3 if a step would fail or change something again in
every apply, 10 if this store or server cannot do a step.

The copy has the content of spaces whose folder differs, but no secrets, invitations, tokens or change requests, and no
other organizations. It sends no requests to other services. Steps that need any of these are "unrehearsed". Imports are
not rehearsed.
`,
  examples: [
    'docsctl rehearse',
    `docsctl rehearse --prune -o json --query "rows[?status=='failed'].problem.message"`,
  ],
};

export const define: DefineCommand = (command, inSession) => {
  addLiveOptions(command)
    .option('--detailed-exitcode', 'exit with 2 if content would wait for approval, and with 0 if none would')
    .action(
      inSession(async (session) => {
        const options = command.opts<LiveOptions>();
        await printRehearsal(session, await rehearseManifest(session, options), options);
      }),
    );
};
