import type { CommandHelp, DefineCommand } from '../../composite-command.ts';
import { printOutcome } from '../../session/session.ts';
import { changeSetting, findChangeable, projectOption } from './change-setting.ts';

export const help: CommandHelp = {
  description: `
Saves a setting in the profile in use (if none is in use, in the profile "default"). With --project, saves it in the
.docsctl.yaml of the working folder, which everyone who works in that folder can share.

A profile has the settings \`store\`, \`server\`, \`org\`, \`space\`, \`site\`, \`as\`, \`ca-file\`, \`public-url\`,
\`sites-url\` and \`output\`. A .docsctl.yaml has the settings \`profile\`, \`org\`, \`space\`, \`site\`, \`output\`,
\`validate-error\`, \`validate-warn\` and \`validate-off\`. For \`as\` and \`ca-file\`, see
\`docsctl help options\`.

Commands that need --space or --site use the saved space or site when none is given. The org, space and site of a
profile are used only with its own store or server, not with another one that --store, --server or a variable names.

On an embedded store, printed addresses begin with the value of \`public-url\`, and addresses of sites with the value of
\`sites-url\` (default: the URLs of the latest \`docsctl serve\` on this store).

validate-error, validate-warn and validate-off list the rules that \`docsctl validate\` treats as errors, treats as warnings,
or skips, separated by commas. Options of that command override them.

Only \`docsctl login\` saves tokens.
`,
  examples: [
    'docsctl config set org Acme',
    'docsctl config set space Guide --project',
    'docsctl config set output json',
    'docsctl config set sites-url https://docs.example.com',
    'docsctl config set validate-error broken-link,broken-anchor --project',
  ],
  noDryRun: 'To see the current value, run `docsctl config get SETTING`.',
};

export const define: DefineCommand = (command, inSession) => {
  command
    .argument('<setting>', 'name of the setting, such as org, space or output')
    .argument('<value>', 'value to save')
    .option(...projectOption)
    .action(
      inSession(async (session, word: string, value: string, { project }: { project?: boolean }) =>
        printOutcome(
          session,
          changeSetting(session, findChangeable(word, project === true), value, project === true),
          'id',
        ),
      ),
    );
};
