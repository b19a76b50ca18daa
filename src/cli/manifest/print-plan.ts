import { Problem } from '../../errors/problem.ts';
import type { PlanDocument } from '../../manifest/plan-document.ts';
import { createStyler } from '../output/style.ts';
import { wantsReport, type Session } from '../session.ts';
import { jobsMarkdown, jobsText } from './jobs-text.ts';
import { hasNew, type PlannedJob } from './plan-jobs.ts';
import { planMarkdown } from './plan-markdown.ts';
import { planText } from './plan-text.ts';
import { shownSteps } from './shown-step.ts';

/** Prints a plan on standard output, in the format asked for. */
export async function printPlan(
  session: Session,
  document: PlanDocument,
  asMarkdown: boolean,
  jobs: readonly PlannedJob[] = [],
): Promise<void> {
  const { format, flags, terminal, isInteractive } = session;
  if (asMarkdown || wantsReport(session)) {
    const ink = await createStyler(terminal.color && isInteractive);
    await terminal.stdout.write(
      asMarkdown
        ? planMarkdown(document) + jobsMarkdown(jobs)
        : planText(document, ink) + jobsText(jobs, ink),
    );
    return terminal.stdout.flush();
  }
  const printer = await session.printer({
    columns: ['action', 'ref', 'name', 'fields', 'at'],
    noun: 'changes',
    idField: 'ref',
  });
  if (format === 'json' || format === 'yaml' || flags.query !== undefined)
    await printer.one(jobs.length === 0 ? document : { ...document, jobs });
  else {
    const items = shownSteps(document.steps).map(
      ({ action, key, name, kind, id, at, changes, calls, protectWas }) => ({
        action,
        ref: key,
        name,
        kind,
        id,
        fields: [...changes.map(({ field }) => field), ...(protectWas === undefined ? [] : ['protect'])].join(
          ' ',
        ),
        at,
        calls,
      }),
    );
    const ingests = jobs.filter(hasNew).flatMap(({ job, at, files }) =>
      files
        .filter((file) => file.new > 0)
        .map(({ file }) => ({
          action: 'ingest',
          ref: job,
          name: file,
          kind: 'conversations',
          fields: '',
          at,
        })),
    );
    await printer.page({ items: [...items, ...ingests], count: items.length + ingests.length });
  }
  await printer.end();
}

/** Refuses a plan with steps that cannot be done here, before anything is changed; `forbidden` where one of them is for others to see. */
export function refuseUnsupported({ steps }: PlanDocument, skip = false): void {
  const cannot = steps.filter(({ action }) => action === 'unsupported');
  if (cannot.length === 0 || skip) return;
  const isForbidden = cannot.some(({ forbidden }) => forbidden === true);
  throw new Problem(
    isForbidden ? 'forbidden' : 'not-implemented',
    `${cannot.length === 1 ? 'One step' : `${cannot.length} steps`} of the plan cannot be done here; nothing was changed.`,
    {
      hint: `${isForbidden ? 'Use a token with a higher role, take' : 'Take'} them out of the manifest, or leave them out with --skip-unsupported.`,
      violations: cannot
        .slice(0, 50)
        .map(({ key, at, reason = '' }) => ({ path: at ?? key, message: `${key}: ${reason}` })),
    },
  );
}
