import { plural } from '../../contract/values.ts';
import { Problem } from '../../errors/problem.ts';
import type { PlanDocument } from '../../manifest/plan-document.ts';
import type { Session } from '../session.ts';
import { visibleSteps } from './describe-step.ts';
import { drawJobs, jobsMarkdown } from './jobs-text.ts';
import { filesWithNew, type PlannedJob } from './planned-job.ts';
import { planMarkdown } from './plan-markdown.ts';
import { drawPlan } from './plan-text.ts';
import { printReport } from './print-report.ts';

/** Prints a plan on standard output, in the format asked for. */
export function printPlan(
  session: Session,
  document: PlanDocument,
  asMarkdown: boolean,
  jobs: readonly PlannedJob[] = [],
): Promise<void> {
  const rows = () => [
    ...visibleSteps(document.steps).map(
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
    ),
    ...jobs.flatMap((planned) =>
      filesWithNew(planned).map(({ file: name }) => ({
        action: 'ingest',
        ref: planned.job,
        name,
        kind: 'conversations',
        fields: '',
        at: planned.at,
      })),
    ),
  ];
  return printReport(
    session,
    {
      text: (style) => drawPlan(document, style) + drawJobs(jobs, style),
      markdown: () => planMarkdown(document) + jobsMarkdown(jobs),
      document: jobs.length === 0 ? document : { ...document, jobs },
      rows,
      columns: ['action', 'ref', 'name', 'fields', 'at'],
    },
    asMarkdown,
  );
}

/**
 * Refuses, unless `skip` is set, a plan with unsupported steps before anything is changed.
 * @throws Problem(forbidden) if the caller may not do one of them, else Problem(not-implemented)
 */
export function refuseUnsupported({ steps }: PlanDocument, skip = false): void {
  const unsupported = steps.filter(({ action }) => action === 'unsupported');
  if (unsupported.length === 0 || skip) return;
  const isForbidden = unsupported.some(({ forbidden }) => forbidden === true);
  throw new Problem(
    isForbidden ? 'forbidden' : 'not-implemented',
    `${unsupported.length === 1 ? 'One step' : plural(unsupported.length, 'step')} of the plan cannot be done here; nothing was changed.`,
    {
      hint: `${isForbidden ? 'Use a token with a higher role, take' : 'Take'} them out of the manifest, or leave them out with --skip-unsupported.`,
      violations: unsupported
        .slice(0, 50)
        .map(({ key, at, reason = '' }) => ({ path: at ?? key, message: `${key}: ${reason}` })),
    },
  );
}
