import { basename } from 'node:path';
import { orUndefined, Problem } from '../../../errors/problem.ts';
import type { OutputOf } from '../../../contract/operation.ts';
import { slugOfFile } from '../../../contract/specification-slug.ts';
import { hasAtMost, joinOr } from '../../../contract/values.ts';
import { getSpec, maxTextLength, replaceSpec, updateSpec } from '../../../resources/openapi/contract.ts';
import type { CommandHelp, DefineCommand } from '../../composite-command.ts';
import { resolveOrganization } from '../../names/names.ts';
import { printResults } from '../../results/print-results.ts';
import { doEach } from '../../session/do-each.ts';
import type { Session } from '../../session/session.ts';
import { notePending } from '../../session/wait.ts';
import { readSpecificationFile } from './specification-file.ts';
import { waitForSpecification } from './wait.ts';

interface Options {
  readonly slug?: string;
  readonly root?: string;
  readonly visibility?: 'private' | 'public';
  readonly wait: boolean;
}

export const help: CommandHelp = {
  description: `
Adds each specification, or replaces the source of the existing one with the same slug. Files are checked before anything is sent, and bundled with the files that they refer to. Then the command waits until the specifications are processed.

Mistakes in single parts of a specification, such as a reference that leads to nothing, are printed as warnings with their file and line. Everything else is published, and \`docsctl openapi get\` lists the mistakes under lastProcessedErrors. To refuse such specifications, run \`docsctl openapi validate\` first.

If the specification cannot be read, if it lacks a required field at its top level, such as the version of OpenAPI, or if it refers to files that are not bundled, the errors are printed (exit 8) and the latest version does not change.
`,
  examples: [
    'docsctl openapi publish billing.yaml',
    'docsctl openapi publish billing.yaml billing-next.yaml',
    'docsctl openapi publish billing.yaml --slug payments --visibility public',
    'docsctl openapi publish https://api.example.com/openapi.json --slug payments --no-wait',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .argument('<file|url...>', 'files of specifications, http or https addresses, or - for standard input')
    .option(
      '--slug <slug>',
      'slug of the specification (default: the name of the file, without its extension; required with -; only for a single specification)',
    )
    .option(
      '--root <folder>',
      'folder that contains the specification and all files that it refers to (default: the folder of the file)',
    )
    .option(
      '--visibility <private|public>',
      'who can download it. private: members except guests; public: anyone, without a token (default: private, or unchanged if the specification exists)',
      readVisibility,
    )
    .option('--no-wait', 'do not wait until it is processed')
    .action(inSession(publish));
};

type Specification = OutputOf<typeof getSpec>;

/** A specification that can be sent. */
interface Prepared {
  readonly source: string;
  readonly slug: string;
  readonly isUrl: boolean;
  readonly from: { url?: string; text?: string };
}

function readVisibility(text: string): 'private' | 'public' {
  if (text === 'private' || text === 'public') return text;
  throw new Problem('invalid-input', `--visibility takes private or public, not "${text}".`);
}

async function publish(session: Session, sources: readonly string[], options: Options): Promise<void> {
  const { slug } = options;
  if (slug !== undefined && sources.length > 1)
    throw new Problem('usage', '--slug can be used only for a single specification.', {
      hint: 'Publish them one by one, or name the files after their slugs.',
    });
  const prepared: Prepared[] = [];
  for (const source of sources) {
    const next = await prepare(session, source, options);
    const same = prepared.find((one) => one.slug === next.slug);
    if (same !== undefined)
      throw new Problem('usage', `${same.source} and ${source} have the same slug, ${next.slug}.`, {
        hint: 'Publish them one by one, each with its own --slug.',
      });
    prepared.push(next);
  }
  const organizationId = await resolveOrganization(session);
  const { results, failed } = await doEach(
    session,
    prepared.map((one) => ({ ...one, name: one.source })),
    (one) => send(session, one, { organizationId, specSlug: one.slug }, options),
  );
  const published = results.filter((result) => result !== undefined);
  if (published.length > 0)
    await printResults(session, published, { columns, noun: 'specifications' }, sources.length > 1);
  if (published.length > 0 && session.terminal.stderrIsTTY) {
    const commands = published.map((one) => `\`docsctl openapi pages ${one.slug} -d FOLDER\``);
    const what = published.length === 1 ? 'the specification' : 'the specifications';
    session.note(
      `To show ${what} in a space, import the pages that ${joinOr(commands)} writes, or add an entry to SUMMARY.md.`,
    );
  }
  if (failed !== undefined) throw failed;
}

const columns = ['slug', 'processingState', 'visibility', 'sourceURL', 'lastProcessedAt'];

/** Reads and checks a specification. */
async function prepare(session: Session, source: string, { slug, root }: Options): Promise<Prepared> {
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
  if (file !== undefined) warnOf(session, file.mistakes);
  return { source, slug: specSlug, isUrl, from };
}

/** Publishes a specification. Returns nothing with --dry-run. */
async function send(
  session: Session,
  { isUrl, from }: Prepared,
  params: { readonly organizationId: string; readonly specSlug: string },
  { visibility, wait }: Options,
): Promise<Specification | undefined> {
  const { specSlug } = params;
  const body = { source: from };
  if (session.flags.dryRun === true) {
    await session.check(replaceSpec, { params, body });
    session.note(`Dry run: ${specSlug} would be published. Nothing was sent.`);
    return undefined;
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
  return specification;
}

/** Prints the mistakes of a specification that is published nevertheless. */
function warnOf(session: Session, mistakes: readonly string[]): void {
  for (const mistake of mistakes) session.note(`warning: ${mistake}`);
}

function slugOf(source: string, fileName: string): string {
  const slug = slugOfFile(fileName);
  if (slug === '')
    throw new Problem('usage', 'The specification needs a slug.', {
      hint: `Give one: \`docsctl openapi publish ${source} --slug NAME\``,
    });
  return slug;
}
