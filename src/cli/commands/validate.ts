import { existsSync, realpathSync } from 'node:fs';
import { normalize, relative, resolve } from 'node:path';
import { shellWord } from '../../contract/shell-word.ts';
import { isFolder } from '../../files/is-folder.ts';
import { defined, groupBy, plural } from '../../contract/values.ts';
import { Problem, withPath, type Violation } from '../../errors/problem.ts';
import {
  checkFolder,
  contentSources,
  type CheckedFolder,
  type CheckedSource,
} from '../manifest/check-folders.ts';
import {
  addFormatOption,
  annotateErrors,
  annotateViolations,
  type FormatOptions,
} from '../manifest/annotate.ts';
import { languageHelp } from '../manifest/language-help.ts';
import { addReadOptions, type ReadOptions } from '../manifest/options.ts';
import { loadManifest, type LoadedManifest } from '../manifest/load-manifest.ts';
import { printText } from '../output/print-text.ts';
import {
  addSeverityOptions,
  readSeverities,
  validationRules,
  type SeverityOptions,
  type ValidationRule,
} from '../manifest/severities.ts';
import { withCounts } from '../output/progress.ts';
import { wantsTable, type Session } from '../session/session.ts';
import type { CommandHelp, DefineCommand } from '../composite-command.ts';

const rules = Object.entries(validationRules)
  .sort(([one], [other]) => (one < other ? -1 : 1))
  .map(([rule, meaning]) => `  ${rule.padEnd(20)} ${meaning}`)
  .join('\n');

export const help: CommandHelp = {
  description: `
Reads the manifest with the folders of Markdown that its spaces name, and reports every error with its file, line and
column (exit 8). It uses no store or server, so it cannot check whether names, members or IDs exist. \`docsctl plan\`
does that. If a field or a block is missing or has a wrong name, references (\`!ref\`) may be checked only after you have
corrected it.

With folders as arguments, only these are checked, as \`docsctl spaces import\` would read them. To check the manifest as
well, add -f.

Links between the files of a folder are checked, including their anchors. After an import, \`docsctl spaces links\` reports
the same broken anchors.

A problem that would not stop an import is a warning with the name of its rule. --deny-warnings, --error, --warn and
--off decide which rules fail the check. To set this for a project, write validate-error, validate-warn or
validate-off into .docsctl.yaml, or use \`docsctl config set --project\`. An option overrides these settings for the
rules that it names. The rules are:

${rules}

With --format github, errors and warnings are also printed as annotations, which GitHub shows beside their lines. The GitHub action \`docsctl/docsctl/ci\` adds this option automatically.
${languageHelp}
`,
  examples: [
    'docsctl validate',
    'docsctl validate -f docsctl.yaml -o json',
    'docsctl validate docs --deny-warnings --off unlisted-page',
    'docsctl validate docs --error broken-link,broken-anchor',
    'docsctl validate docs --format github',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  command.argument('[folder...]', 'folders of Markdown to check instead of the manifest');
  addFormatOption(addSeverityOptions(addReadOptions(command)), 'an annotation per error and warning').action(
    inSession((session, folders: readonly string[]) =>
      annotateErrors(session, command.opts(), (own) => check(own, folders, command.opts())),
    ),
  );
};

type Options = ReadOptions & SeverityOptions & FormatOptions;

interface Found {
  readonly file: string;
  readonly line: number;
  /** Set only for manifests. */
  readonly column?: number;
  readonly rule: ValidationRule;
  readonly message: string;
}

async function check(session: Session, folders: readonly string[], options: Options): Promise<void> {
  const isGithub = options.format === 'github';
  const severityOf = readSeverities(options, session.settings);
  const found: Found[] = [];
  const file = folders.find(
    (name) => /\.ya?ml$/i.test(name) && !isFolder(resolve(session.runtime.cwd, name)),
  );
  if (file !== undefined)
    throw new Problem('usage', `${file} looks like a manifest, but the arguments of validate are folders.`, {
      hint: `Run \`docsctl validate -f ${shellWord(file)}\`.`,
    });
  const other = folders.find((name) => {
    const path = resolve(session.runtime.cwd, name);
    return existsSync(path) && !isFolder(path);
  });
  if (other !== undefined)
    throw new Problem('invalid-input', `${other} is a file, but the arguments of validate are folders.`, {
      hint: 'Give the folder that contains the file.',
    });
  const manifest =
    folders.length > 0 && options.file === undefined
      ? undefined
      : await loadManifest(session, options, (at, rule, message) => found.push({ ...at, rule, message }));
  const checked = await checkFolders(session, manifest, folders);
  found.push(...checked.flatMap(({ warnings }) => warnings));
  const failures = found.filter(({ rule }) => severityOf(rule) === 'error');
  const warnings = found.filter(({ rule }) => severityOf(rule) === 'warn');
  if (isGithub) await annotateViolations(session, 'warning', warnings.map(toViolation));
  if (wantsTable(session) || isGithub || failures.length > 0)
    for (const { path, message } of warnings.map(toViolation)) session.note(`warning: ${path}: ${message}`);
  refuse(failures.map(toViolation));
  if (isGithub) return session.note(verdict(manifest, checked, warnings).trimEnd());
  if (wantsTable(session)) return printText(session, verdict(manifest, checked, warnings));
  await session.print(
    {
      valid: true,
      ...(manifest && describeManifest(manifest)),
      folders: checked.map(({ dir, pages, files }) => ({ dir, pages, files })),
      warnings,
    },
    { noun: 'manifests' },
  );
}

/** Checks the given folders, and those of the manifest. @throws Problem(invalid-input) with all that cannot be read */
async function checkFolders(
  session: Session,
  manifest: LoadedManifest | undefined,
  folders: readonly string[],
): Promise<CheckedFolder[]> {
  const { cwd, signal } = session.runtime;
  const sources: CheckedSource[] = folders.map((dir) => ({
    dir: resolve(cwd, dir),
    shown: normalize(dir)
      .replace(/(?<=.)[\\/]+$/, '')
      .replaceAll('\\', '/'),
    unlisted: 'skip',
  }));
  if (manifest !== undefined)
    sources.push(...contentSources(manifest.root, realpathSync(manifest.files[0]?.root ?? cwd)));
  const checked: CheckedFolder[] = [];
  const unreadable: Violation[] = [];
  for (const source of new Map(sources.map((each) => [each.dir, each])).values())
    try {
      checked.push(
        await withCounts(session, 'reading file', (onPage) => checkFolder(source, cwd, { onPage, signal })),
      );
    } catch (error) {
      const isOnly = sources.length === 1 && manifest === undefined;
      if (isOnly || !(error instanceof Problem) || error.reason !== 'invalid-input') throw error;
      unreadable.push({
        path: source.shown ?? (relative(cwd, source.dir) || '.'),
        message: error.message.replace(/\.$/, ''),
      });
    }
  refuse(unreadable);
  return checked;
}

function toViolation({ file, line, column, message, rule }: Found): Violation {
  const place = [file, line, column].filter((part) => part !== undefined && part !== 0);
  return { path: place.join(':'), message: `${message} (${rule})`.replaceAll('\n', '\\n') };
}

/** @throws Problem(invalid-input) if there are violations */
function refuse(violations: readonly Violation[]): void {
  const [first] = violations;
  if (first === undefined) return;
  throw new Problem(
    'invalid-input',
    violations.length === 1
      ? `${withPath(first)}.`
      : `The check found ${plural(violations.length, 'error')}.`,
    { violations, hint: 'Correct the errors. `docsctl help validate` explains the rules.' },
  );
}

function describeManifest({ files, desired, jobs }: LoadedManifest) {
  return defined({
    files: files.map(({ name }) => name),
    resources: desired.byAddress.size,
    kinds: countKinds(desired),
    jobs: jobs.length === 0 ? undefined : jobs.map(({ name }) => name),
  });
}

function countKinds({ byAddress }: LoadedManifest['desired']): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of byAddress.values()) counts[kind.name] = (counts[kind.name] ?? 0) + 1;
  return counts;
}

function verdict(
  manifest: LoadedManifest | undefined,
  checked: readonly CheckedFolder[],
  warnings: readonly Found[],
): string {
  const parts: string[] = [];
  if (manifest !== undefined) {
    const { files, desired, jobs } = manifest;
    const counts = Object.entries(countKinds(desired)).map(([kind, count]) => plural(count, kind));
    const perKind = counts.length === 0 ? '' : ` (${counts.join(', ')})`;
    const alsoJobs = jobs.length === 0 ? '' : ` and ${plural(jobs.length, 'import')}`;
    parts.push(
      `${plural(desired.byAddress.size, 'resource')}${alsoJobs} in ${plural(files.length, 'file')}${perKind}`,
    );
  }
  if (checked.length > 0) {
    const pages = checked.reduce((sum, folder) => sum + folder.pages, 0);
    parts.push(`${plural(pages, 'page')} in ${plural(checked.length, 'folder')}`);
  }
  if (warnings.length > 0)
    parts.push(
      `${plural(warnings.length, 'warning')}${warnings.length > maxSeen ? ` (${countRules(warnings)})` : ''}`,
    );
  return `Valid: ${parts.join('; ')}.\n`;
}

/** Maximum number of warnings without a count by rule. */
const maxSeen = 10;

/** Returns the number of warnings of each rule, most frequent first: "30 broken-link, 2 skipped-file". */
function countRules(warnings: readonly Found[]): string {
  return [...groupBy(warnings, ({ rule }) => rule)]
    .map(([rule, { length }]) => ({ rule, length }))
    .sort((one, other) => other.length - one.length)
    .map(({ rule, length }) => `${length} ${rule}`)
    .join(', ');
}
