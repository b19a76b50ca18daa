import { siteInstallations, spaceInstallations, targetInstallationId } from '../../core/rows/installed.ts';
import type { ReadTransaction } from '../../core/store.ts';
import type { Recipient } from './environment.ts';

/** The place that an event is about. */
export interface Place {
  readonly spaceId?: string | undefined;
  readonly siteId?: string | undefined;
}

/** Finds the installation of an integration on a space or site; undefined where there is none. */
export async function findTarget(
  view: ReadTransaction,
  installation: string,
  { spaceId, siteId }: Place,
): Promise<Recipient['target']> {
  if (spaceId !== undefined) return view.get(spaceInstallations, targetInstallationId(installation, spaceId));
  return siteId === undefined
    ? undefined
    : view.get(siteInstallations, targetInstallationId(installation, siteId));
}
