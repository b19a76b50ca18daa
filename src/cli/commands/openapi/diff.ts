import { listAll } from '../../../contract/each-page.ts';
import { plural } from '../../../contract/values.ts';
import type { ItemOf } from '../../../contract/operation.ts';
import { Problem } from '../../../errors/problem.ts';
import { downloadSpec, listSpecVersions } from '../../../resources/openapi/contract.ts';
import { readInChildProcess } from '../../../specification/child-process-reader.ts';
import type { CommandHelp, DefineCommand } from '../../composite-command.ts';
import { resolveOrganization } from '../../names/names.ts';
import { wantsDocument, wantsTable, type Session } from '../../session/session.ts';
import { readSpecificationFile, refuseErrors } from './specification-file.ts';

interface Options {
  readonly from?: string;
  readonly to?: string;
  readonly root?: string;
  readonly failOn?: string;
}

const columns = ['breaking', 'change', 'kind', 'name', 'part', 'message'];

export const help: CommandHelp = {
  columns,
  description: `
Compares two versions of a specification: its operations with their parameters, bodies, responses, headers, callbacks and security requirements, its webhooks, shared schemas, security schemes and servers. Descriptions, examples and extensions are not compared. Without options, the command compares the latest version with the one before it.

--from and --to take the ID of a version, the version in the specification (such as 1.2.0), the word latest, or a file. A value that ends in .json, .yaml or .yml, or contains a slash, is the path of a file; - is standard input. \`--to FILE\` alone compares the latest version with the file, so you see what publishing it would change.

A change is breaking if a client of the earlier version can fail with the later one. These changes are breaking:

  - an operation, a parameter, a property, a server, a format of a body or response, or a response other than 4XX and 5XX was removed
  - requests accept less: a new parameter or property is required, a type or limit is stricter, a value of an enum or of a server variable was removed
  - responses can contain new values: a type or limit is wider, a value of an enum was added, a property is no longer required
  - a header of a response was removed or is no longer required
  - credentials that were enough are no longer enough, or an operation uses a security scheme whose type, name or place was changed

The API sends the requests of webhooks and callbacks. For these, the rules about requests and responses are swapped.

With --fail-on breaking, the command exits with 9 if there is a breaking change, after it has printed all changes.
`,
  examples: [
    'docsctl openapi publish billing-next.yaml --slug billing && docsctl openapi diff billing',
    'docsctl openapi diff billing --to billing-next.yaml --fail-on breaking',
    'docsctl openapi diff billing --from 1.0.0 --to billing-next.yaml -o json --query changes',
  ],
  exitCodes: { 9: 'A change is breaking (only with --fail-on breaking).' },
};

export const define: DefineCommand = (command, inSession) => {
  command
    .argument('<spec-slug>', 'slug of the specification')
    .option(
      '--from <version>',
      'earlier version, or a file (default: the version before --to, or the latest one if --to is a file)',
    )
    .option('--to <version>', 'later version, or a file (default: latest)')
    .option(
      '--root <folder>',
      'folder that contains a given file and all files that it refers to (default: the folder of the file)',
    )
    .option(
      '--fail-on <changes>',
      'exit with 9 if there are changes of this kind; the only kind is "breaking" (default: exit with 0)',
    )
    .action(inSession(compareVersions));
};

type Version = ItemOf<typeof listSpecVersions>;

interface Side {
  readonly text: string;
  readonly source: { readonly version: string; readonly id: string } | { readonly file: string };
}

async function compareVersions(session: Session, slug: string, options: Options): Promise<void> {
  const { failOn, root } = options;
  if (failOn !== undefined && failOn !== 'breaking')
    throw new Problem('invalid-input', `--fail-on takes "breaking", not "${failOn}".`);
  const { from, to } = await chooseSides(session, slug, options);
  const read = async (side: Version | string): Promise<Side> => {
    if (typeof side !== 'string') return readVersion(session, slug, side);
    const { text } = await readSpecificationFile(session, side, root);
    return { text, source: { file: side } };
  };
  const [before, after] = [await read(from), await read(to)];
  const { signal } = session.runtime;
  const analysis = await readInChildProcess(before.text, { signal, comparedWith: after.text });
  if (analysis.changes === undefined) refuseErrors(slug, analysis);
  const { changes = [] } = analysis;
  const breaking = changes.filter((each) => each.breaking).length;
  if (wantsDocument(session))
    await session.print({ from: before.source, to: after.source, breaking, changes });
  else {
    const [earlier, later] = [describe(before), describe(after)];
    const emptyNote = async () => `${earlier} and ${later} do not differ.`;
    await session.printAll(changes, { columns, noun: 'changes', emptyNote });
    if (wantsTable(session) && changes.length > 0)
      session.note(`${earlier} → ${later}: ${plural(changes.length, 'change')}, ${breaking} breaking.`);
  }
  if (failOn !== undefined && breaking > 0)
    throw new Problem(
      'guard-refused',
      `${plural(breaking, 'change')} in ${slug} ${breaking === 1 ? 'is' : 'are'} breaking.`,
      {
        hint: 'The column message says what has changed. To accept the changes, run the command without --fail-on.',
      },
    );
}

function describe({ source }: Side): string {
  if ('file' in source) return source.file === '-' ? 'standard input' : source.file;
  return `${source.version} (${source.id})`;
}

/** Finds the versions or files to compare. A file is identified by its name. @throws Problem(not-found) for an unknown version */
async function chooseSides(
  session: Session,
  slug: string,
  { from, to }: Options,
): Promise<{ from: Version | string; to: Version | string }> {
  if (from === '-' && to === '-')
    throw new Problem('usage', 'Only one of --from and --to can be standard input.');
  if (from !== undefined && isFile(from) && to !== undefined && isFile(to)) return { from, to };
  const versions = await readVersions(session, slug);
  const later = to !== undefined && isFile(to) ? to : findVersion(versions, slug, to ?? 'latest');
  if (from !== undefined) return { from: isFile(from) ? from : findVersion(versions, slug, from), to: later };
  if (typeof later === 'string') return { from: findVersion(versions, slug, 'latest'), to: later };
  const earlier = versions[versions.indexOf(later) + 1];
  if (earlier === undefined)
    throw new Problem('not-found', `The specification ${slug} has no version before ${later.id}.`, {
      hint: `To compare a file with it, run \`docsctl openapi diff ${slug} --to FILE\`.`,
    });
  return { from: earlier, to: later };
}

function isFile(given: string): boolean {
  return given === '-' || /[/\\]|\.(json|ya?ml)$/i.test(given);
}

/** Reads the versions of a specification, the newest first. */
async function readVersions(session: Session, slug: string): Promise<Version[]> {
  const params = { organizationId: await resolveOrganization(session), specSlug: slug };
  return listAll(session, listSpecVersions, { params });
}

/** Finds a version by its ID, by the version in the specification, or the latest one. @throws Problem(not-found) */
function findVersion(versions: readonly Version[], slug: string, given: string): Version {
  const [latest] = versions;
  if (latest === undefined)
    throw new Problem('not-found', `The specification ${slug} has no version yet.`, {
      hint: `To see its state, run \`docsctl openapi get ${slug}\`.`,
    });
  if (given === 'latest') return latest;
  const found = versions.find(({ id }) => id === given) ?? versions.find(({ version }) => version === given);
  if (found === undefined)
    throw new Problem('not-found', `The specification ${slug} has no version "${given}".`, {
      hint: `To see its versions, run \`docsctl openapi versions ${slug}\`. A file needs a name that ends in .json, .yaml or .yml, or a path such as ./${given}.`,
    });
  return found;
}

async function readVersion(session: Session, slug: string, { id, version }: Version): Promise<Side> {
  const organizationId = await resolveOrganization(session);
  const params = { organizationId, specSlug: slug, versionId: id };
  const { bytes } = await session.call(downloadSpec, { params });
  return { text: Buffer.from(bytes).toString(), source: { version, id } };
}
