import type { TProperties } from '../contract/schema.ts';
import type { Desired } from './desired.ts';
import { readDesired } from './read-desired.ts';
import type { PlanDocument } from './plan-document.ts';
import { makePlan } from './plan.ts';
import type { PruneOptions } from './plan-prune.ts';
import type { MapNode } from './read/node.ts';
import { surveyLive, type Survey, type SurveyRequest } from './survey.ts';

export interface PlanManifestRequest extends Omit<SurveyRequest, 'desired'>, PruneOptions {
  /** `Manifest.root`. */
  readonly root: MapNode;
  /** Fields at the top of the manifest that are no kinds. */
  readonly beside?: TProperties;
}

export interface PlannedManifest {
  readonly desired: Desired;
  readonly survey: Survey;
  readonly document: PlanDocument;
}

/** From what a manifest says to what is to be done, with all that was read on the way. */
export async function planManifest(request: PlanManifestRequest): Promise<PlannedManifest> {
  const desired = readDesired(request.root, request.table, request.beside);
  const survey = await surveyLive({ ...request, desired });
  return { desired, survey, document: makePlan({ ...request, desired, survey }) };
}
