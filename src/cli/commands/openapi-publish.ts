import { basename } from 'node:path';
import type { Command } from 'commander';
import type { OutputOf } from '../../contract/operation.ts';
import { Problem } from '../../errors/problem.ts';
import { getSpec, replaceSpec, updateSpec } from '../../resources/openapi/contract.ts';
import { organizationOf } from '../names.ts';
import { readPatience } from '../patience.ts';
import type { Session } from '../session.ts';
import { readSpecificationFile, refuseErrors } from '../specification-file.ts';
import { waitFor } from '../wait.ts';
import type { RunIn } from './index.ts';

interface Options {
  readonly slug?: string;
  readonly visibility?: string;
  readonly wait: boolean;
  readonly timeout?: string;
}

type Spec = OutputOf<typeof getSpec>;

export function define(command: Command, run: RunIn): void {
  command
    .argument('<file|url>', 'specification: a file, - for standard input, or an address')
    .option('--slug <slug>', 'what it is called (default: from the name of the file)')
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
  const patience = readPatience(options);
  if (visibility !== undefined && visibility !== 'private' && visibility !== 'public') throw new Problem('usage', `--visibility takes private or public, not "${visibility}".`);
  const isUrl = /^https?:\/\//i.test(source);
  const specSlug = given ?? slugOf(source, isUrl);
  const body = { source: isUrl ? { url: source } : { text: await checkedText(session, source) } };
  const params = { organizationId: await organizationOf(session), specSlug };
  if (session.flags.dryRun === true) return session.note(`Dry run: ${specSlug} would be published; nothing was sent.`);
  const api = await session.api();
  const { signal } = session.runtime;
  let spec: Spec = await api.call(replaceSpec, { params, body }, { signal });
  if (visibility !== undefined && spec.visibility !== visibility) spec = await api.call(updateSpec, { params, body: { visibility } }, { signal });
  if (wait) {
    const look = (until: AbortSignal) => api.call(getSpec, { params }, { signal: until });
    spec = await waitFor(session, {
      kind: 'openapi',
      subject: spec.id,
      look,
      isDone: ({ processingState }) => processingState === 'complete',
      describe: ({ processingState }) => processingState,
      patience,
      command: `docsctl openapi get ${specSlug}`,
    });
    refuseFailure(spec);
  }
  if (!wait && api.work !== undefined) session.note('It is processed by a job: `docsctl jobs run` does it.');
  const printer = await session.printer({ columns: ['slug', 'processingState', 'visibility', 'sourceURL', 'lastProcessedAt'] });
  await printer.one(spec);
  await printer.end();
}

async function checkedText(session: Session, file: string): Promise<string> {
  const { text, read } = await readSpecificationFile(session, file);
  refuseErrors(file, read);
  return text;
}

function slugOf(source: string, isUrl: boolean): string {
  const name = isUrl ? (new URL(source).pathname.split('/').at(-1) ?? '') : basename(source);
  const slug = name.replace(/\.(json|ya?ml)$/i, '').replace(/[^a-zA-Z0-9]+/g, '-').replace(/^-+|-+$/g, '').slice(0, 100); // prettier-ignore
  if (slug === '') throw new Problem('usage', 'What shall it be called?', { hint: `docsctl openapi publish ${source} --slug NAME` });
  return slug;
}

function refuseFailure({ slug, lastProcessErrorCode, lastProcessedErrors = [], lastVersion }: Spec): void {
  if (lastProcessErrorCode === undefined) return;
  const isForbidden = lastProcessedErrors.some(({ code }) => code === 'forbidden');
  const stands = lastVersion === undefined ? `${slug} exists now, without a version` : `The version before stays the latest of ${slug}`;
  const allow = isForbidden ? ' Whoever runs docsctl can allow the address: DOCSCTL_ALLOW_PRIVATE.' : '';
  const remove = lastVersion === undefined ? `, or delete it: docsctl openapi delete ${slug}` : '';
  throw new Problem(isForbidden ? 'forbidden' : 'invalid-input', `The specification ${slug} could not be processed: ${lastProcessErrorCode}.`, {
    violations: lastProcessedErrors.map(({ code, message }) => ({ path: slug, message: code === undefined ? message : `${code}: ${message}` })),
    hint: `${stands}.${allow} Publish it again from a good source: docsctl openapi publish FILE|URL --slug ${slug}${remove}`,
  });
}
