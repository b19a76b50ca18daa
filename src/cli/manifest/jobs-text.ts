import type { Styler, Style } from '../output/style.ts';
import { escapeControls } from '../output/escape-controls.ts';
import { code } from './markdown-parts.ts';
import { hasNew, type FileState, type PlannedFile, type PlannedJob } from './plan-jobs.ts';
import { sizeText } from './shown-step.ts';

const signs: Readonly<Record<FileState, string>> = {
  new: '+',
  more: '~',
  changed: '~',
  unchanged: ' ',
  unreadable: '!',
};
const colors: Readonly<Record<FileState, Style>> = {
  new: 'green',
  more: 'yellow',
  changed: 'yellow',
  unchanged: 'dim',
  unreadable: 'magenta',
};

/** The jobs of a plan for a person to read. */
export function jobsText(jobs: readonly PlannedJob[], ink: Styler): string {
  if (jobs.length === 0) return '';
  const blocks = jobs.map(({ job, at, files }) => {
    const shown = files.filter(({ state }) => state !== 'unchanged');
    const lines = shown.map(
      (file) => `    ${ink(`${signs[file.state]} ${escapeControls(textOf(file))}`, [colors[file.state]])}\n`,
    );
    return shown.length === 0
      ? ''
      : `${ink(`> ${job}`, ['bold'])}  ${ink(escapeControls(at), ['dim'])}\n${lines.join('')}`;
  });
  const body = blocks.join('');
  return `${body === '' ? '' : `\n${body}\n`}Jobs: ${jobsSummary(jobs)}.\n`;
}

/** What the jobs come to, in a few words. */
export function jobsSummary(jobs: readonly PlannedJob[]): string {
  const files = jobs.flatMap((job) => job.files);
  const fresh = files.filter((file) => file.new > 0);
  const rest = files.length - fresh.length;
  if (fresh.length === 0) return files.length === 0 ? 'no file' : `nothing new in ${counted(files.length)}`;
  return `${sizeText(fresh.reduce((sum, file) => sum + file.new, 0))} new in ${counted(fresh.length)}${rest === 0 ? '' : `; ${rest} as ${rest === 1 ? 'it is' : 'they are'}`}`;
}

/** The same for a comment on a pull request. */
export function jobsMarkdown(jobs: readonly PlannedJob[]): string {
  if (jobs.length === 0) return '';
  const rows = jobs
    .filter(hasNew)
    .flatMap(({ job, files }) =>
      files
        .filter((file) => file.new > 0)
        .map(
          (file) =>
            `| ${job} | ${code(file.file).replaceAll('|', '\\|')} | ${file.state} | ${sizeText(file.new)} |\n`,
        ),
    );
  const shown = rows.slice(0, 100);
  const more = rows.length > shown.length ? `\n${rows.length - shown.length} more files.\n` : '';
  return `\n#### Jobs\n\n${shown.length === 0 ? '' : `| job | file | | new |\n| --- | --- | --- | ---: |\n${shown.join('')}${more}\n`}${jobsSummary(jobs)}.\n`;
}

function textOf({ file, state, bytes, new: fresh, reason }: PlannedFile): string {
  if (state === 'unreadable') return `${file}: ${reason ?? 'cannot be read'}`;
  if (state === 'more') return `${file}: ${sizeText(fresh)} new of ${sizeText(bytes)}`;
  return `${file}: ${sizeText(bytes)}${state === 'changed' ? ', no longer what was ingested: it is read from its beginning again' : ''}`;
}

function counted(files: number): string {
  return `${files} ${files === 1 ? 'file' : 'files'}`;
}
