import { chunk, defined, getOrInsert, plural } from '../../../contract/values.ts';
import { isProblem, Problem } from '../../../errors/problem.ts';
import { nameInput } from '../../../files/unreadable-file.ts';
import { readCsv } from '../../../ingest/read-csv.ts';
import { faultOfRedirect, toDestination, type StatedRedirect } from '../../../manifest/kinds/redirects.ts';
import { maxBatch, upsertSiteRedirects } from '../../../resources/site-redirects/contract.ts';
import type { Static } from '../../../contract/schema.ts';
import { nearest } from '../../../contract/nearest.ts';
import {
  requiredArgument,
  requiredOption,
  type CommandHelp,
  type DefineCommand,
} from '../../composite-command.ts';
import { noteUnused } from '../../results/moved-redirects.ts';
import { readText } from '../../input/files.ts';
import { resolveName, resolveOrganization } from '../../names/names.ts';
import type { Session } from '../../session/session.ts';
import { openSite } from './redirect-targets.ts';

const columns = [
  'source',
  'url',
  'section',
  'space',
  'path',
  'permanent',
  'captureWildcard',
  'draft',
] as const;

export const help: CommandHelp = {
  description: `
Creates a redirect for each row of a CSV file, and replaces the redirects that have the same source. Other redirects
are kept. The first line names the columns:

  source                          path on the site, such as /old or /blog/* (required)
  url                             lead to this URL
  section                         lead to this section, by path, title or ID
  space, path                     lead to this space of the site, by title or ID, or to its page with this path
  permanent                       true answers with status 308 instead of 307 (default false)
  captureWildcard                 true adds what the star stands for to the destination (default false)
  draft                           true keeps the redirect as a draft (default false)

Each row needs a url, a section or a space. All rows are checked first: if one is wrong, nothing is sent (exit 8). Rows
that the server refuses are listed, and all others are applied (exit 3). With --dry-run, the rows are only checked.
Requires the admin role.
`,
  examples: ['docsctl sites redirects import redirects.csv --site Docs'],
  exitCodes: {
    3: 'Some redirects were refused; the others were applied.',
    8: 'A row is invalid; nothing was sent.',
  },
};

export const define: DefineCommand = (command, inSession) => {
  command
    .addArgument(requiredArgument('[file]', 'CSV file, or - for standard input'))
    .addOption(requiredOption('--site <site>', 'title, basename or ID of the site'))
    .action(inSession(importRedirects));
};

type Item = Static<(typeof upsertSiteRedirects)['body']>['redirects'][number];

async function importRedirects(
  session: Session,
  file: string | undefined,
  { site }: { site?: string },
): Promise<void> {
  if (file === undefined || site === undefined)
    throw new Problem('usage', `No ${file === undefined ? 'file' : 'site'} is given.`, {
      hint: 'Give both: `docsctl sites redirects import FILE --site SITE`.',
    });
  const rows = await readRows(session, file);
  const organizationId = await resolveOrganization(session);
  const siteId = await resolveName(session, 'siteId', site, { organizationId });
  const items = await toItems(session, { organizationId, siteId }, rows, nameInput(file));
  if (session.flags.dryRun === true)
    return session.note(`Dry run: ${plural(items.length, 'redirect')} would be sent.`);
  const results = [];
  for (const redirects of chunk(items, maxBatch)) {
    const answer = await session.call(upsertSiteRedirects, {
      params: { organizationId, siteId },
      body: { redirects },
    });
    results.push(...answer.results);
  }
  const listed = results.map((result, index) => ({
    line: rows[index]?.line,
    source: result.source,
    status: result.status,
    error: result.error?.replace(/^\/redirects\/\d+\S*: /, ''),
    id: result.id,
  }));
  await session.printAll(listed, {
    noun: 'redirects',
    columns: ['line', 'source', 'status', 'error', 'id'],
  });
  const refused = listed.filter(({ status }) => status === 'error');
  for (const one of results) if (one.unused === true) noteUnused(session, one);
  const count = (status: string) => listed.filter((one) => one.status === status).length;
  session.note(`${count('created')} created, ${count('updated')} replaced, ${refused.length} refused.`);
  if (refused.length > 0)
    throw new Problem(
      'partly-failed',
      `${refused.length} of ${plural(listed.length, 'redirect')} ${refused.length === 1 ? 'was' : 'were'} refused.`,
      {
        hint: 'Correct these rows and import the file again.',
        violations: refused.map(({ line, error }) => ({
          path: `${nameInput(file)}:${line}`,
          message: error ?? '',
        })),
      },
    );
}

interface Row {
  readonly line: number;
  readonly redirect: StatedRedirect;
}

/** Reads and checks all rows. @throws Problem(invalid-input) with each wrong row */
async function readRows(session: Session, file: string): Promise<Row[]> {
  const text = await readText(session, file);
  const name = nameInput(file);
  const wrong: { path: string; message: string }[] = [];
  const rows: Row[] = [];
  const seen = new Map<string, number>();
  const chunks = (async function* () {
    yield Buffer.from(text);
  })();
  for await (const records of readCsv(chunks, {
    file: name,
    delimiter: undefined,
    onColumns: (given) => checkColumns(name, given),
  }))
    for (const { line, value, problem } of records) {
      const fault = (message: string) => void wrong.push({ path: `${name}:${line}`, message });
      if (problem !== undefined) {
        fault(problem);
        continue;
      }
      const redirect = readRow(value as Record<string, string>, fault);
      const key = `${String(redirect.draft)} ${redirect.source.toLowerCase()}`;
      const first = seen.get(key);
      if (first !== undefined) fault(`"${redirect.source}" is already in line ${first}`);
      else seen.set(key, line);
      const found = faultOfRedirect(redirect);
      if (found !== undefined) fault(found.message);
      rows.push({ line, redirect });
    }
  refuseIfWrong(
    file,
    wrong,
    'Nothing was sent. To see the columns, run `docsctl sites redirects import --help`.',
  );
  if (rows.length === 0)
    throw new Problem('invalid-input', `${name} has no rows.`, {
      hint: 'Write the names of the columns in the first line, and a redirect in each line after it.',
    });
  return rows;
}

function checkColumns(name: string, given: readonly string[]): void {
  const unknown = given.find((column) => !columns.some((known) => known === column));
  if (unknown !== undefined) {
    const [close] = nearest(unknown, [...columns]);
    throw new Problem('invalid-input', `${name} has the unknown column "${unknown}".`, {
      hint:
        close === undefined
          ? `The allowed columns are ${columns.join(', ')}. Rename or remove all other columns.`
          : `Did you mean "${close}"?`,
    });
  }
  if (!given.includes('source'))
    throw new Problem('invalid-input', `${name} has no column "source".`, {
      hint: 'Write the names of the columns in the first line: source,url',
    });
}

function readRow(cells: Readonly<Record<string, string>>, fault: (message: string) => void): StatedRedirect {
  const row: Record<string, string | true> = {};
  for (const [column, cell] of Object.entries(cells)) {
    const value = cell.trim();
    const isFlag = column === 'permanent' || column === 'captureWildcard' || column === 'draft';
    if (!isFlag && value !== '') row[column] = value;
    if (!isFlag || /^(false|)$/i.test(value)) continue;
    if (/^true$/i.test(value)) row[column] = true;
    else fault(`"${column}" must be true or false, not "${value.slice(0, 40)}"`);
  }
  return { source: '', ...row };
}

/**
 * Converts rows to redirects. Each name, and the pages of each space, are looked up once.
 * @throws Problem(invalid-input) with each row whose destination does not exist
 */
async function toItems(
  session: Session,
  params: { organizationId: string; siteId: string },
  rows: readonly Row[],
  file: string,
): Promise<Item[]> {
  const { structure, pages } = await openSite(session, params);
  const known = new Map<string, Promise<string>>();
  const resolve = (field: 'siteSectionId' | 'spaceId', name: string): Promise<string> => {
    const key = `${field} ${name}`;
    return getOrInsert(known, key, () => resolveName(session, field, name, params));
  };
  const items: Item[] = [];
  const wrong: { path: string; message: string }[] = [];
  for (const { line, redirect } of rows) {
    const { source, draft, permanent = false, captureWildcard = false, section, space } = redirect;
    try {
      const sectionId = section === undefined ? undefined : await resolve('siteSectionId', section);
      const spaceId = space === undefined ? undefined : await resolve('spaceId', space);
      const named = {
        ...redirect,
        ...defined({
          section: structure.sections.find(({ id }) => id === sectionId)?.path ?? section,
          space: spaceId,
        }),
      };
      items.push({
        source,
        intent: draft === true ? 'draft' : 'live',
        permanent,
        captureWildcard,
        destination: await toDestination(named, structure, pages, `"${space}"`),
      });
    } catch (error) {
      if (!isProblem(error, 'not-found', 'ambiguous')) throw error;
      wrong.push({ path: `${file}:${line}`, message: error.message });
    }
  }
  refuseIfWrong(file, wrong, 'Nothing was sent. Correct these rows and import the file again.');
  return items;
}

function refuseIfWrong(
  file: string,
  violations: readonly { path: string; message: string }[],
  hint: string,
): void {
  if (violations.length === 0) return;
  throw new Problem('invalid-input', `${file} has ${plural(violations.length, 'invalid row')}.`, {
    hint,
    violations,
  });
}
