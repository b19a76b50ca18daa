import { listSome, plural } from '../../contract/values.ts';
import { Problem } from '../../errors/problem.ts';
import { hasNoDrift, type Drift, type Drifted } from '../../manifest/find-drift.ts';
import { escapeControls } from '../output/escape-controls.ts';
import type { Styler } from '../output/style.ts';
import type { Session } from '../session/session.ts';
import { diffFields, nameUnreadable, quoteTitle, type FieldDiff } from './describe-step.ts';
import { writeFieldDiff, writeMarkdownReport } from './markdown-report.ts';
import { drawField } from './plan-text.ts';
import { wrapMessage } from '../output/wrap-message.ts';
import { printReport } from './print-report.ts';
import { withSource, type ManifestSource } from './source-in-hints.ts';

/** Prints drift on standard output, in the format asked for. */
export function printDrift(
  session: Session,
  drift: Drift,
  { asMarkdown, source }: { asMarkdown: boolean; source: ManifestSource },
): Promise<void> {
  const remarkOf = (line: string): string => {
    const text = withSource(session, line, source);
    return session.isInteractive ? wrapMessage(text, session.terminal.columns) : text;
  };
  const report = {
    text: (style: Styler) => drawDrift(drift, style, remarkOf),
    markdown: () => withSource(session, driftMarkdown(drift), source),
    document: drift,
    rows: () =>
      drift.resources.map(({ status, address, kind, id, name, changes }) => ({
        status,
        ref: address,
        kind,
        id,
        name,
        fields: changes.map(({ field }) => field).join(' '),
      })),
    columns: ['status', 'ref', 'name', 'fields', 'id'],
  };
  return printReport(session, report, asMarkdown);
}

/** Fails, unless `skip` is set, if not everything could be compared. @throws Problem(forbidden), Problem(not-implemented) */
export function refuseUnreadable({ unreadable }: Drift, skip = false): void {
  if (unreadable.length === 0 || skip) return;
  const names = unreadable.map(({ what }) => nameUnreadable(what));
  throw new Problem(
    unreadable.every(({ reason }) => reason === 'forbidden') ? 'forbidden' : 'not-implemented',
    `Some resources of the state file cannot be read here: ${listSome(names, 10)}.`,
    {
      hint: 'Skip them with --skip-unsupported.',
      violations: unreadable.map(({ what, message }) => ({ path: what, message })),
    },
  );
}

function drawDrift(drift: Drift, style: Styler, remarkOf: (line: string) => string): string {
  const blocks = visibleResources(drift).map((resource) => {
    const [sign, color] = resource.status === 'gone' ? (['-', 'red'] as const) : (['~', 'yellow'] as const);
    const fields = fieldsOf(resource).map((diff) => drawField(diff, style));
    return `${style(sign, ['bold', color])} ${style(titleOf(resource, drift), [color])}\n${fields.join('')}`;
  });
  const lines = [summarizeDrift(drift), ...remarksOn(drift), ...nextSteps(drift)];
  return `${blocks.length === 0 ? '' : `${blocks.join('')}\n`}${lines.map((line) => `${remarkOf(line)}\n`).join('')}`;
}

/** Writes drift as a comment on an issue or a pull request. */
function driftMarkdown(drift: Drift): string {
  const { organization, place } = drift;
  const blocksOf = (status: Drifted['status'], sign: string): string[] =>
    visibleResources(drift)
      .filter((resource) => resource.status === status)
      .map((resource) => {
        const fields = fieldsOf(resource).map((diff) => writeFieldDiff(diff));
        return `${sign} ${titleOf(resource, drift)}\n${fields.join('')}`;
      });
  return writeMarkdownReport({
    command: 'drift',
    summary: summarizeDrift(drift).replace(/^Drift: /, ''),
    organization,
    place,
    groups: [
      { title: 'Deleted', blocks: blocksOf('gone', '-'), isOpen: true },
      { title: 'Changed', blocks: blocksOf('changed', '!'), isOpen: true },
    ],
    noun: 'resource',
    remarks: [...remarksOn(drift), ...nextSteps(drift)],
  });
}

/** Returns the resources that get their own block. Resources inside a deleted one are only counted. */
function visibleResources({ resources }: Drift): Drifted[] {
  return resources.filter(({ because }) => because === undefined);
}

function titleOf({ address, name, id, status }: Drifted, { resources }: Drift): string {
  const title = [address, ...quoteTitle(address, name), `(${id})`].join(' ');
  if (status !== 'gone') return escapeControls(title);
  const inside = countInside(address, resources);
  return escapeControls(`${title} was deleted${inside === 0 ? '' : `, with ${inside} inside it`}`);
}

function countInside(address: string, resources: readonly Drifted[]): number {
  const gone = new Set([address]);
  for (const { address: inner, because } of resources)
    if (because !== undefined && gone.has(because)) gone.add(inner);
  return gone.size - 1;
}

/** Compares the fields after the last apply with the current ones. */
function fieldsOf({ changes }: Drifted): FieldDiff[] {
  return diffFields({ changes: changes.map((change) => ({ ...change, moved: 'live' as const })) });
}

function summarizeDrift(drift: Drift): string {
  const { changed, same } = drift.counts;
  const gone = drift.resources.filter(({ status, because }) => status === 'gone' && because === undefined);
  const inside = drift.counts.gone - gone.length;
  const unchanged = `${plural(same, 'resource')} unchanged`;
  if (hasNoDrift(drift))
    return same === 0
      ? 'No drift: the state file has nothing to compare.'
      : `No drift: ${unchanged} since the last apply, in the fields that the manifest sets.`;
  const counts = [
    ...(changed === 0 ? [] : [`${changed} changed`]),
    ...(gone.length === 0
      ? []
      : [
          `${gone.length} deleted${inside === 0 ? '' : ` (and ${inside} inside ${gone.length === 1 ? 'it' : 'them'})`}`,
        ]),
  ];
  return `Drift: ${counts.join(', ')}${same === 0 ? '' : `; ${unchanged}`}.`;
}

/** Returns how to undo or keep the changes. */
function nextSteps(drift: Drift): string[] {
  if (hasNoDrift(drift)) return [];
  return [
    'To keep a change, put it into the manifest. `docsctl apply` undoes the others; `docsctl plan` shows how.',
  ];
}

/** Lists what was not compared, with a sentence for each reason. */
function remarksOn({ unseen, unreadable }: Drift): string[] {
  const fieldsFor = (reason: Drift['unseen'][number]['why']) => unseen.filter(({ why }) => why === reason);
  const list = (fields: Drift['unseen']) =>
    escapeControls(
      listSome(
        fields.map(({ address, field }) => `${field} of ${address}`),
        10,
      ),
    );
  const hidden = fieldsFor('hidden');
  const contents = fieldsFor('content').length;
  const unknown = fieldsFor('unknown');
  return [
    ...(hidden.length === 0 ? [] : [`Not compared, because the value cannot be read: ${list(hidden)}.`]),
    ...(contents === 0
      ? []
      : [
          `The content of ${plural(contents, 'space')} was not compared. Use \`docsctl plan\` to compare it.`,
        ]),
    ...(unknown.length === 0
      ? []
      : [`Not compared, because this version of docsctl does not know the field: ${list(unknown)}.`]),
    ...unreadable.map(
      ({ what, count, message }) =>
        `Cannot be read here: ${escapeControls(nameUnreadable(what))} (${plural(count, 'resource')}). ${escapeControls(message)}`,
    ),
  ];
}
