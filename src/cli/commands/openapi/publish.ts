import { basename } from 'node:path';
import { orUndefined, Problem } from '../../../errors/problem.ts';
import { hasAtMost } from '../../../contract/values.ts';
import { getSpec, maxTextLength, replaceSpec, updateSpec } from '../../../resources/openapi/contract.ts';
import type { CommandHelp, DefineCommand } from '../../composite-command.ts';
import { resolveOrganization } from '../../names/names.ts';
import type { Session } from '../../session/session.ts';
import { notePending } from '../../session/wait.ts';
import { readSpecificationFile } from './specification-file.ts';
import { waitForSpecification } from './wait.ts';

interface Options {
  readonly slug?: string;
  readonly root?: string;
  readonly visibility?: string;
  readonly wait: boolean;
}

export const help: CommandHelp = {
  description: `
Adds the specification, or replaces the source of an existing specification with the same slug. A file is checked before anything is sent, and bundled with the files that it refers to. Then the command waits until the specification is processed.

Mistakes in single parts of a specification, such as a reference that leads to nothing, are printed as warnings with their file and line. Everything else is published, and \`docsctl openapi get\` lists the mistakes under lastProcessedErrors. To refuse such specifications, run \`docsctl openapi validate\` first.

If the specification cannot be read, if it lacks a required field at its top level, such as the version of OpenAPI, or if it refers to files that are not bundled, the errors are printed (exit 8) and the latest version does not change.
`,
  examples: [
    'docsctl openapi publish billing.yaml',
    'docsctl openapi publish billing.yaml --slug payments --visibility public',
    'docsctl openapi publish https://api.example.com/openapi.json --slug payments --no-wait',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .argument('<file|url>', 'file of the specification, - for standard input, or an http or https address')
    .option(
      '--slug <slug>',
      'slug of the specification (default: the name of the file, without its ending; required with -)',
    )
    .option(
      '--root <folder>',
      'folder that contains the specification and all files that it refers to (default: the folder of the file)',
    )
    .option(
      '--visibility <private|public>',
      'who can download it. private: members except guests; public: anyone, without a token (default: private, or unchanged if the specification exists)',
    )
    .option('--no-wait', 'do not wait until it is processed')
    .action(inSession(publish));
};

async function publish(session: Session, source: string, options: Options): Promise<void> {
  const { slug, root, visibility, wait } = options;
  if (visibility !== undefined && visibility !== 'private' && visibility !== 'public')
    throw new Problem('invalid-input', `--visibility takes private or public, not "${visibility}".`);
  const isUrl = /^https?:\/\//i.test(source);
  if (!isUrl && /^[a-z][a-z0-9+.-]*:\/\//i.test(source))
    throw new Problem('invalid-input', `The address ${source} is not supported. Use http or https.`, {
      hint: 'Or download it to a file and publish the file.',
    });
  const fileName = isUrl ? new URL(source).pathname.replace(/^.*\//, '') : basename(source);
  const specSlug = slug ?? slugOf(source, fileName);
  const file = isUrl ? undefined : await readSpecificationFile(session, source, root);
  const from: { url?: string; text?: string } = file === undefined ? { url: source } : { text: file.text };
  if (from.text !== undefined && !hasAtMost(maxTextLength, from.text))
    throw new Problem(
      'invalid-input',
      `${source} has more than ${maxTextLength / 1e6} million characters, with the files that it refers to.`,
      {
        hint: `A specification at an address can be up to 10 MiB in size: \`docsctl openapi publish https://HOST/PATH --slug ${specSlug}\`.`,
      },
    );
  const body = { source: from };
  if (file !== undefined) warnOf(session, file.mistakes);
  const params = { organizationId: await resolveOrganization(session), specSlug };
  if (session.flags.dryRun === true) {
    await session.check(replaceSpec, { params, body });
    return session.note(`Dry run: ${specSlug} would be published. Nothing was sent.`);
  }
  const before = wait ? await orUndefined(session.call(getSpec, { params }), 'not-found') : undefined;
  let specification = await session.call(replaceSpec, { params, body });
  if (visibility !== undefined && specification.visibility !== visibility)
    specification = await session.call(updateSpec, { params, body: { visibility } });
  if (wait) specification = await waitForSpecification(session, specification, params);
  else await notePending(session);
  if (wait && isUrl)
    warnOf(
      session,
      (specification.lastProcessedErrors ?? []).map(({ code, message }) =>
        code === undefined ? message : `${code}: ${message}`,
      ),
    );
  if (wait && before === undefined)
    session.note(
      `Added the specification ${specSlug}. To publish a new version of an existing specification, give its slug with --slug.`,
    );
  if (before?.lastVersion !== undefined && before.lastVersion === specification.lastVersion)
    session.note(
      before.visibility === specification.visibility
        ? `Nothing changed: the latest version of ${specSlug} already has this content.`
        : `The visibility changed. The latest version of ${specSlug} already has this content.`,
    );
  await session.print(specification, {
    columns: ['slug', 'processingState', 'visibility', 'sourceURL', 'lastProcessedAt'],
  });
  if (session.terminal.stderrIsTTY)
    session.note(
      `To show the specification in a space, import the pages that \`docsctl openapi pages ${specSlug} -d FOLDER\` writes, or add an entry to SUMMARY.md.`,
    );
}

/** Prints the mistakes of a specification that is published nevertheless. */
function warnOf(session: Session, mistakes: readonly string[]): void {
  for (const mistake of mistakes) session.note(`warning: ${mistake}`);
}

function slugOf(source: string, fileName: string): string {
  const slug = fileName
    .replace(/\.(json|ya?ml)$/i, '')
    .replace(/[^a-zA-Z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 100);
  if (slug === '')
    throw new Problem('usage', 'The specification needs a slug.', {
      hint: `Give one: \`docsctl openapi publish ${source} --slug NAME\``,
    });
  return slug;
}
