import { randomUUID } from 'node:crypto';
import { existsSync, lstatSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { eachPage } from '../../../contract/each-page.ts';
import { whyUnwritable } from '../../../files/unreadable-file.ts';
import { closed } from '../../../contract/schema.ts';
import { defined, plural } from '../../../contract/values.ts';
import { Problem } from '../../../errors/problem.ts';
import { auditFilters, listAuditEvents } from '../../../resources/audit/contract.ts';
import type { CommandHelp, DefineCommand } from '../../composite-command.ts';
import { addFields } from '../../input/field-options.ts';
import { readFields } from '../../input/fields.ts';
import { resolveOrganization } from '../../names/names.ts';
import { escapeControlsByLine } from '../../output/escape-controls.ts';
import { printOutcome, type Session } from '../../session/session.ts';
import { addSince, readEventQuery } from './query.ts';

interface Options {
  readonly since?: string;
  readonly out?: string;
  readonly force?: boolean;
}

/** The list operation with only the filters of its query. */
const filtered = { ...listAuditEvents, query: closed(auditFilters) };

export const help: CommandHelp = {
  description: `
Writes one event per line, newest first. Use the export to keep events longer than the server does, or to send them to another system. Requires the admin role.

The file that -O names is created only when the export is complete.
`,
  examples: ['docsctl audit export --since 30d', 'docsctl audit export --since 2026-01-01 -O audit.ndjson'],
};

export const define: DefineCommand = (command, inSession) => {
  addSince(command);
  addFields(command, filtered);
  command
    .option('-O, --out <file>', 'file to write; - is standard output (default: -)')
    .option('--force', 'replace the file of -O if it exists')
    .action(inSession((session, options: Options) => exportEvents(session, options)));
};

async function exportEvents(session: Session, options: Options): Promise<void> {
  const { since, out, force = false } = options;
  const path = out === undefined || out === '-' ? undefined : checkTarget(session, out, force);
  const organizationId = await resolveOrganization(session);
  const given = await readFields(session, filtered, { ...options }, {});
  const query = await readEventQuery(session, listAuditEvents, organizationId, given.query, since);
  const lines = readLines(session, organizationId, query);
  if (path === undefined) {
    const { stdout, stdoutIsTTY } = session.terminal;
    for await (const { text } of lines) {
      await stdout.write(stdoutIsTTY ? escapeControlsByLine(text) : text);
      if (stdout.closed) return;
    }
    return;
  }
  const events = await writeFile(path, lines);
  session.note(`Wrote ${plural(events, 'event')} to ${out}.`);
  await printOutcome(session, { path, events }, 'path');
}

interface Lines {
  readonly text: string;
  readonly events: number;
}

/** Yields the events as NDJSON, page by page. */
async function* readLines(session: Session, organizationId: string, query: object): AsyncGenerator<Lines> {
  const pages = eachPage((page) =>
    session.call(listAuditEvents, {
      params: { organizationId },
      query: { ...query, details: true, limit: 100, ...defined({ page }) },
    }),
  );
  for await (const { items } of pages)
    yield { text: items.map((event) => `${JSON.stringify(event)}\n`).join(''), events: items.length };
}

/** Checks the target file before the events are read. @throws Problem(invalid-input), Problem(guard-refused) */
function checkTarget(session: Session, out: string, force: boolean): string {
  if (out === '') throw new Problem('usage', '-O names no file.', { hint: 'Write it like -O audit.ndjson.' });
  const path = resolve(session.runtime.cwd, out);
  if (!existsSync(path)) return path;
  if (lstatSync(path).isDirectory())
    throw new Problem('invalid-input', `${out} is a folder.`, {
      hint: `Name a file: \`-O ${out}/audit.ndjson\`.`,
    });
  if (!force)
    throw new Problem('guard-refused', `${out} already exists.`, { hint: 'To replace it, add --force.' });
  return path;
}

/** Writes a file that only its owner can read, and renames it when it is complete. Returns the number of events. */
async function writeFile(path: string, lines: AsyncIterable<Lines>): Promise<number> {
  const part = `${path}.${randomUUID()}.part`;
  let count = 0;
  try {
    const file = await open(part, 'wx', 0o600);
    try {
      for await (const { text, events } of lines) {
        await file.write(text);
        count += events;
      }
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true }).catch(() => {});
    if (!(error instanceof Error) || !('code' in error)) throw error;
    throw new Problem('invalid-input', `${path} cannot be written: ${whyUnwritable(path, error)}.`, {
      hint: 'Choose another path.',
      cause: error,
    });
  }
  return count;
}
