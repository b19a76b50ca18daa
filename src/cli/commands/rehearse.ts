import { addLiveOptions, type LiveOptions } from '../manifest/options.ts';
import { printRehearsal } from '../manifest/print-rehearsal.ts';
import { rehearseManifest } from '../manifest/rehearse-manifest.ts';
import { withOwnSource } from '../manifest/source-in-hints.ts';
import type { CommandHelp, DefineCommand } from '../composite-command.ts';

export const help: CommandHelp = {
  description: `
Copies the organization into memory, applies the manifest to the copy, and shows the result of each step. It finds problems
that a plan cannot see, such as a name that is taken or a merge that is not allowed. Neither the organization nor the
state file is changed.

The exit codes are those of \`docsctl apply\`: 0 if every step would succeed, 3 if a step would fail or if every later apply would make the same change again, and 10 if this store or server does not support a step.

The copy contains only this organization, without its secrets, invitations, tokens, change requests and scripts of integrations. The content of a space is copied only if the manifest would change it, or if redirects or links of a site lead to its pages. No requests are sent to other services. A step that needs something that
the copy lacks gets the status "unrehearsed". Imports of conversations are not rehearsed.
`,
  examples: [
    'docsctl rehearse',
    `docsctl rehearse --prune -o json --query "rows[?status=='failed'].problem.message"`,
  ],
};

export const define: DefineCommand = (command, inSession) => {
  addLiveOptions(command)
    .option(
      '--detailed-exitcode',
      'exit with 2 if merge rules would make content wait for an approval, and with 0 if not',
    )
    .action(
      inSession(
        withOwnSource(command, async (session) => {
          const options = command.opts<LiveOptions>();
          await printRehearsal(session, await rehearseManifest(session, options), options);
        }),
      ),
    );
};
