import type { InputOf } from '../../../contract/operation.ts';
import { isRecord } from '../../../contract/values.ts';
import { Problem } from '../../../errors/problem.ts';
import { createTranslation } from '../../../resources/translations/contract.ts';
import { getSpace } from '../../../resources/spaces/contract.ts';
import type { CommandHelp, DefineCommand } from '../../composite-command.ts';
import { addFields } from '../../input/field-options.ts';
import { readFields } from '../../input/fields.ts';
import { resolveName, resolveOrganization } from '../../names/names.ts';
import { printRequests } from '../../results/print-results.ts';
import type { Session } from '../../session/session.ts';
import { printTranslations, waitForTranslation, waitOption } from './wait.ts';

type Body = InputOf<typeof createTranslation>['body'];

export const help: CommandHelp = {
  description: `
Creates a translated space in the collection of the source space. You need the create role on this collection, or in the organization if the source space is in no collection. The translated space gets a copy of the current permissions of the source space. When the content of the source space changes, docsctl translates the changes, page by page. Code, URLs, tags and variables are not translated. Manual edits in the translated space are kept, unless the source changes the same line.

The variable DOCSCTL_TRANSLATION, set for the server or, with an embedded store, for this command, names the service: openai, deepl, libretranslate, or pseudo for trials, which only marks what would be translated. Without a service, or while the organization has AI features off, the translation stays pending, and its field \`problem\` says why. With --wait on an embedded store, the command fails without a service, and creates nothing.

The instructions can contain a glossary: "- term: translation", "do not translate: X, Y", or a table of two columns.
`,
  examples: [
    'docsctl translations create --space API --from en --language fr --wait',
    'docsctl translations create --space Guide --from en --language de --instructions @glossary.md',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  addFields(command, createTranslation);
  command.option(...waitOption).action(inSession(create));
};

async function create(session: Session, options: Record<string, unknown>): Promise<void> {
  const params = { organizationId: await resolveOrganization(session) };
  const given = (await readFields(session, createTranslation, options, {})).body as Body;
  if (given !== undefined && !isRecord(given.source)) {
    await session.call(createTranslation, { params, body: given });
    return;
  }
  if (typeof given?.source.space !== 'string')
    throw new Problem('usage', 'No space to translate is given.', { hint: 'Give the space with --space.' });
  const space = await resolveName(session, 'spaceId', given.source.space, params);
  const language = given.source.language ?? (await languageOf(session, space));
  const body: Body = { ...given, source: { space, language } };
  if (session.flags.dryRun === true) return printRequests(session, createTranslation, [params], { body });
  const isWaited = options['wait'] === true;
  // With an embedded store, this process translates.
  if (isWaited && (await session.api()).work !== undefined) await checkService(session);
  const created = await session.call(createTranslation, { params, body });
  const target = { ...params, translationId: created.id };
  await printTranslations(session, [isWaited ? await waitForTranslation(session, target) : created], false);
}

/** Returns the language of a space. @throws Problem(usage) if none is set */
async function languageOf(session: Session, spaceId: string): Promise<string> {
  const { title, language } = await session.call(getSpace, { params: { spaceId } });
  if (language !== undefined) return language;
  throw new Problem('usage', `No language is set for the space "${title}".`, {
    hint: `Give it with --from, or set it: \`docsctl spaces update ${spaceId} --language en\``,
  });
}

/** Checks the translation service before anything is created. @throws Problem(precondition-failed) */
async function checkService({ runtime }: Session): Promise<void> {
  const { checkProvider } = await import('../../../translation/providers/index.ts');
  try {
    await checkProvider(runtime.env);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw error.with({ message: `${error.message} Nothing was created.` });
  }
}
