import { languageHelp } from '../manifest/language-help.ts';
import { addReadOptions, type ReadOptions } from '../manifest/options.ts';
import { readWanted } from '../manifest/read-wanted.ts';
import type { Session } from '../session.ts';
import type { DefineCommand } from '../composite-command.ts';

export const define: DefineCommand = (command, inSession) => {
  addReadOptions(command)
    .addHelpText(
      'after',
      `
Asks no store and no server. Every fault is told with its file, line and column (exit 8).
${languageHelp}
Examples:
  docsctl validate
  docsctl validate -f examples/organization --var env=production
`,
    )
    .action(inSession(validate));
};

async function validate(session: Session, options: ReadOptions): Promise<void> {
  const { files, desired, jobs } = await readWanted(session, options);
  const kinds: Record<string, number> = {};
  for (const { kind } of desired.byAddress.values()) kinds[kind.name] = (kinds[kind.name] ?? 0) + 1;
  const resources = desired.byAddress.size;
  if (session.format !== 'table' || session.flags.query !== undefined) {
    const printer = await session.printer({ noun: 'manifests' });
    await printer.one({
      valid: true,
      files: files.map(({ name }) => name),
      resources,
      kinds,
      secrets: [...desired.secrets.keys()],
      ...(jobs.length === 0 ? {} : { jobs: jobs.map(({ name }) => name) }),
    });
    return printer.end();
  }
  const what = Object.entries(kinds).map(([kind, number]) => `${number} ${kind}`);
  const beside = jobs.length === 0 ? '' : ` and ${count(jobs.length, 'job')}`;
  const { stdout } = session.terminal;
  await stdout.write(
    `Valid: ${count(resources, 'resource')}${beside} in ${count(files.length, 'file')}${what.length === 0 ? '' : ` (${what.join(', ')})`}.\n`,
  );
  await stdout.flush();
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`;
}
