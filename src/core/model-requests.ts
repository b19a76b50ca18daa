import { Problem } from '../errors/problem.ts';
import type { JobContext } from './jobs.ts';
import type { Outgoing } from './outgoing.ts';
import { organizations } from './rows/organizations.ts';

type ModelContext = Pick<JobContext, 'job' | 'read' | 'outgoing'>;

/**
 * Whether a variable asks for an OpenAI-compatible service instead of docsctl itself.
 *
 * @throws Problem(invalid-input) for another value than `own` or openai
 */
export function usesModel(
  env: Readonly<Record<string, string | undefined>>,
  variable: string,
  own: string,
): boolean {
  const chosen = env[variable] || own;
  if (chosen === own || chosen === 'openai') return chosen !== own;
  throw new Problem('invalid-input', `${variable} must be ${own} or openai, not "${chosen.slice(0, 60)}".`);
}

/** Whether the organization of a job has AI features on. */
export async function isAiOn({ job, read }: ModelContext): Promise<boolean> {
  return (await read((view) => view.get(organizations, job.organization)))?.ai === true;
}

/**
 * Returns the function with which a job sends requests to language models and translation services. It reads the field `ai` of
 * the organization before each request, so that a running job stops when AI features are turned off.
 *
 * @throws Problem(precondition-failed) from each request while `ai` is false
 */
export function modelOutgoing(context: ModelContext): Outgoing {
  return async (request) => {
    if (!(await isAiOn(context)))
      throw new Problem(
        'precondition-failed',
        'AI features are off in this organization, so no text is sent to a model or translation service.',
        { hint: `To turn them on, run \`docsctl orgs update ${context.job.organization} --ai\`.` },
      );
    return context.outgoing(request);
  };
}
