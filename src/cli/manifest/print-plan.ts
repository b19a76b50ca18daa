import type { PlanDocument } from '../../manifest/plan-document.ts';
import type { Session } from '../session/session.ts';
import { drawImpact, impactData, type LinkImpact } from '../results/link-impact.ts';
import { impactMarkdown } from './plan-links.ts';
import { visibleSteps } from './describe-step.ts';
import { drawJobs, jobsMarkdown } from './jobs-text.ts';
import { filesWithNew, hasNew, type PlannedJob } from './planned-job.ts';
import { planMarkdown } from './plan-markdown.ts';
import { drawPlan } from './plan-text.ts';
import { printReport } from './print-report.ts';

/** Information that is printed with the steps of a plan. */
interface PlanExtras {
  readonly asMarkdown?: boolean;
  readonly jobs?: readonly PlannedJob[];
  /** The links that it breaks; undefined if they were not checked. */
  readonly links?: LinkImpact | undefined;
}

/** Prints a plan on standard output in the requested format. */
export function printPlan(
  session: Session,
  document: PlanDocument,
  { asMarkdown = false, jobs = [], links }: PlanExtras = {},
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
      text: (style) =>
        drawPlan(document, style, jobs.some(hasNew)) +
        drawJobs(jobs, style) +
        (links === undefined ? '' : drawImpact(links, style)),
      markdown: () =>
        planMarkdown(document, jobs.some(hasNew)) +
        jobsMarkdown(jobs) +
        (links === undefined ? '' : impactMarkdown(links)),
      document: {
        ...document,
        ...(jobs.length === 0 ? {} : { jobs }),
        ...(links === undefined ? {} : impactData(links)),
      },
      rows,
      columns: ['action', 'ref', 'name', 'fields', 'at'],
    },
    asMarkdown,
  );
}
