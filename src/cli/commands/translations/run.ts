import { runTranslation } from '../../../resources/translations/contract.ts';
import type { CommandHelp, DefineCommand } from '../../composite-command.ts';
import { resolveArguments } from '../../names/names.ts';
import { printRequests } from '../../results/print-results.ts';
import type { Session } from '../../session/session.ts';
import { notePending } from '../../session/wait.ts';
import { printTranslations, waitForTranslation, waitOption } from './wait.ts';
import { areSeveral, severalNotes } from '../../input/positionals.ts';

interface Options {
  readonly wait?: boolean;
}

export const help: CommandHelp = {
  description: `
Checks every page of the source. Text that is already translated is not sent again. Parts of pages that could not be translated are tried once more. If the translated space was deleted, it is created again. Use this command after a failed run.
`,
  examples: ['docsctl translations run "Guide (French)" --wait', 'docsctl translations run fr'],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .argument('<translation...>', `titles of translated spaces, languages or IDs${severalNotes.items}`)
    .option(...waitOption)
    .action(inSession(runTranslations));
};

async function runTranslations(session: Session, given: readonly string[], options: Options): Promise<void> {
  const targets = await resolveArguments(session, 'translationId', given);
  if (session.flags.dryRun === true) return printRequests(session, runTranslation, targets);
  for (const params of targets) await session.call(runTranslation, { params });
  if (options.wait !== true) {
    if (session.terminal.stderrIsTTY) session.note('Requested.');
    return notePending(session, targets.length);
  }
  const translations = [];
  for (const params of targets) translations.push(await waitForTranslation(session, params));
  await printTranslations(session, translations, areSeveral(given));
}
