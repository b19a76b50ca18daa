import { runTranslation } from '../../../resources/translations/contract.ts';
import type { DefineCommand } from '../../composite-command.ts';
import { resolveArguments } from '../../names.ts';
import { printRequests } from '../../print-results.ts';
import type { Session } from '../../session.ts';
import { notePending } from '../../wait.ts';
import { printTranslations, waitForTranslation, waitOption } from './wait.ts';
import type { CommandHelp } from '../../command-help.ts';

interface Options {
  readonly wait?: boolean;
}

export const help: CommandHelp = {
  description: `
Looks at every page, but sends nothing again that is translated already; segments for which no answer fitted are tried
once more. A target that was deleted is made anew.
`,
  examples: ['docsctl translations run tra_1', 'docsctl translations run "Guide (French)" --wait'],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .argument('<translation...>', 'ids, titles of the spaces they are written to, or languages')
    .option(...waitOption)
    .action(inSession(runTranslations));
};

async function runTranslations(session: Session, given: readonly string[], options: Options): Promise<void> {
  const targets = await resolveArguments(session, 'translationId', given);
  if (session.flags.dryRun === true) return printRequests(session, runTranslation, targets);
  for (const params of targets) await session.call(runTranslation, { params });
  if (options.wait !== true) {
    if (session.terminal.stderrIsTTY) session.note('translations run: asked for.');
    return notePending(session, targets.length);
  }
  const translations = [];
  for (const params of targets) translations.push(await waitForTranslation(session, params));
  await printTranslations(session, translations);
}
