import { basename } from 'node:path';
import type { Command } from 'commander';
import type { OutputOf } from '../../../contract/operation.ts';
import { Problem } from '../../../errors/problem.ts';
import { type getSpec, replaceSpec, updateSpec } from '../../../resources/openapi/contract.ts';
import { resolveOrganization } from '../../names.ts';
import type { Session } from '../../session.ts';
import { readSpecificationFile, refuseErrors } from './specification-file.ts';
import { waitForSpecification } from './wait.ts';
import { notePending, readTimeout } from '../../wait.ts';
import type { RunInSession } from '../../composite-command.ts';

interface Options {
  readonly slug?: string;
  readonly root?: string;
  readonly visibility?: string;
  readonly wait: boolean;
  readonly timeout?: string;
}

type Spec = OutputOf<typeof getSpec>;

export function define(command: Command, run: RunInSession): void {
  command
    .argument('<file|url>', 'specification: a file, - for standard input, or an address')
    .option('--slug <slug>', 'what it is called (default: from the name of the file)')
    .option('--root <folder>', 'folder that holds all files of it (default: its own)')
    .option('--visibility <who>', 'private, or public: with an address that asks for no token')
    .option('--no-wait', 'do not wait until it is processed')
    .option('--timeout <seconds>', 'wait no longer than this; the work goes on as a job')
    .addHelpText(
      'after',
      `
Adds a specification, or gives the one of that slug a new source. A file is checked before anything is sent, and brought
together with the files that it refers to. Exit 8 when it has errors: the version before stays.

Examples:
  docsctl openapi publish openapi.yaml --slug billing
  docsctl openapi publish https://api.example.com/openapi.json --slug billing --visibility public
`,
    )
    .action((source: string, options: Options) => run((session) => publish(session, source, options)));
}

async function publish(session: Session, source: string, options: Options): Promise<void> {
  const { slug: given, visibility, wait } = options;
  const timeout = readTimeout(options);
  if (visibility !== undefined && visibility !== 'private' && visibility !== 'public')
    throw new Problem('usage', `--visibility takes private or public, not "${visibility}".`);
  const isUrl = /^https?:\/\//i.test(source);
  if (!isUrl && /^[a-z][a-z0-9+.-]*:\/\//i.test(source))
    throw new Problem('usage', `${source} is an address that is not taken: http and https are.`, {
      hint: 'Or save what is there in a file, and publish that.',
    });
  const specSlug = given ?? slugOf(source, isUrl);
  const body = {
    source: isUrl ? { url: source } : { text: await checkedText(session, source, options.root) },
  };
  const params = { organizationId: await resolveOrganization(session), specSlug };
  if (session.flags.dryRun === true)
    return session.note(`Dry run: ${specSlug} would be published; nothing was sent.`);
  const api = await session.api();
  const { signal } = session.runtime;
  let spec: Spec = await api.call(replaceSpec, { params, body }, { signal });
  if (visibility !== undefined && spec.visibility !== visibility)
    spec = await api.call(updateSpec, { params, body: { visibility } }, { signal });
  if (wait) spec = await waitForSpecification(session, params, spec, timeout);
  if (!wait) await notePending(session);
  const printer = await session.printer({
    columns: ['slug', 'processingState', 'visibility', 'sourceURL', 'lastProcessedAt'],
  });
  await printer.one(spec);
  await printer.end();
}

async function checkedText(session: Session, file: string, root: string | undefined): Promise<string> {
  const { text, read } = await readSpecificationFile(session, file, root);
  refuseErrors(file, read);
  return text;
}

function slugOf(source: string, isUrl: boolean): string {
  const name = isUrl ? (new URL(source).pathname.split('/').at(-1) ?? '') : basename(source);
  const slug = name.replace(/\.(json|ya?ml)$/i, '').replace(/[^a-zA-Z0-9]+/g, '-').replace(/^-+|-+$/g, '').slice(0, 100); // prettier-ignore
  if (slug === '')
    throw new Problem('usage', 'What shall it be called?', {
      hint: `docsctl openapi publish ${source} --slug NAME`,
    });
  return slug;
}
