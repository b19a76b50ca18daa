import type { Engine } from '../core/jobs.ts';
import type { jobKinds } from './jobs/contract.ts';

/** The engine of `git-sync` is in the room `content-sync`, which depends on this one. */
type Kind = Exclude<(typeof jobKinds)[number], 'git-sync'>;

/** The engines of jobs by kind. Each is loaded when its first job runs. */
const engines: Readonly<Record<Kind, () => Promise<{ engine: Engine }>>> = {
  audit: () => import('./audit/engine.ts'),
  'custom-hostname': () => import('./custom-hostnames/engine.ts'),
  'email-domain': () => import('./email-domains/engine.ts'),
  conversations: () => import('./conversations/engine.ts'),
  events: () => import('./integration-events/engine.ts'),
  openapi: () => import('./openapi/engine.ts'),
  removal: () => import('./removal/engine.ts'),
  index: () => import('./content/index-engine.ts'),
  'site-events': () => import('./site-insights/engine.ts'),
  translation: () => import('./translations/engine.ts'),
};

/** Returns the engine of a kind of jobs. @throws Error for an unknown kind */
export async function engineOf(kind: string): Promise<Engine> {
  const load = Object.hasOwn(engines, kind) ? engines[kind as Kind] : undefined;
  if (load === undefined) throw new Error(`no engine for jobs of kind ${kind}`);
  return (await load()).engine;
}
