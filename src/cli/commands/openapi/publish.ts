import { basename } from 'node:path';
import { Problem } from '../../../errors/problem.ts';
import { replaceSpec, updateSpec } from '../../../resources/openapi/contract.ts';
import type { DefineCommand } from '../../composite-command.ts';
import { resolveOrganization } from '../../names.ts';
import type { Session } from '../../session.ts';
import { notePending } from '../../wait.ts';
import { readSpecificationFile, refuseErrors } from './specification-file.ts';
import { waitForSpecification } from './wait.ts';
import type { CommandHelp } from '../../command-help.ts';

interface Options {
  readonly slug?: string;
  readonly root?: string;
  readonly visibility?: string;
  readonly wait: boolean;
}

export const help: CommandHelp = {
  description: `
Adds a specification, or gives the one of that slug a new source. A file is checked before anything is sent, and brought
together with the files that it refers to. Exit 8 when it has errors: the version before stays.
`,
  examples: [
    'docsctl openapi publish openapi.yaml --slug billing',
    'docsctl openapi publish https://api.example.com/openapi.json --slug billing --visibility public',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .argument('<file|url>', 'specification: a file, - for standard input, or an address')
    .option('--slug <slug>', 'what it is called (default: from the name of the file)')
    .option('--root <folder>', 'folder that holds all files of it (default: its own)')
    .option('--visibility <who>', 'private, or public: with an address that asks for no token')
    .option('--no-wait', 'do not wait until it is processed')
    .action(inSession(publish));
};

async function publish(session: Session, source: string, options: Options): Promise<void> {
  const { slug, root, visibility, wait } = options;
  if (visibility !== undefined && visibility !== 'private' && visibility !== 'public')
    throw new Problem('usage', `--visibility takes private or public, not "${visibility}".`);
  const isUrl = /^https?:\/\//i.test(source);
  if (!isUrl && /^[a-z][a-z0-9+.-]*:\/\//i.test(source))
    throw new Problem('usage', `${source} is an address that is not taken: http and https are.`, {
      hint: 'Or save what is there in a file, and publish that.',
    });
  const fileName = isUrl ? new URL(source).pathname.replace(/^.*\//, '') : basename(source);
  const specSlug = slug ?? slugOf(source, fileName);
  const body = { source: isUrl ? { url: source } : { text: await readText(session, source, root) } };
  const params = { organizationId: await resolveOrganization(session), specSlug };
  if (session.flags.dryRun === true)
    return session.note(`Dry run: ${specSlug} would be published; nothing was sent.`);
  let specification = await session.call(replaceSpec, { params, body });
  if (visibility !== undefined && specification.visibility !== visibility)
    specification = await session.call(updateSpec, { params, body: { visibility } });
  if (wait) specification = await waitForSpecification(session, specification, params);
  else await notePending(session);
  await session.print(specification, {
    columns: ['slug', 'processingState', 'visibility', 'sourceURL', 'lastProcessedAt'],
  });
}

async function readText(session: Session, file: string, root: string | undefined): Promise<string> {
  const { text, read } = await readSpecificationFile(session, file, root);
  refuseErrors(file, read);
  return text;
}

function slugOf(source: string, fileName: string): string {
  const slug = fileName
    .replace(/\.(json|ya?ml)$/i, '')
    .replace(/[^a-zA-Z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 100);
  if (slug === '')
    throw new Problem('usage', 'What shall it be called?', {
      hint: `docsctl openapi publish ${source} --slug NAME`,
    });
  return slug;
}
