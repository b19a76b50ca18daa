import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { Problem } from '../../errors/problem.ts';
import { stateFileName, readStateFile } from '../../manifest/state-file.ts';
import { resolveOrganization } from '../names.ts';
import type { Session } from '../session.ts';
import { liveAt, type Live } from './live.ts';
import { some } from './shown-step.ts';

/** Opens a lock without its manifest: the part of it for the place of the settings, and for the organization where it has several. */
export async function openLock(session: Session, named: string | undefined): Promise<Live> {
  const path = pathOf(session, named);
  return liveAt(session, await organizationIn(session, path), path);
}

/** The lock that is named, else the one where a manifest would lie that is not named. */
function pathOf({ runtime: { cwd } }: Session, named: string | undefined): string {
  const candidates =
    named === undefined
      ? [join(cwd, stateFileName), join(cwd, 'docsctl', stateFileName)]
      : [resolve(cwd, named)];
  const found = candidates.find((path) => existsSync(path));
  if (found !== undefined) return found;
  throw new Problem('not-found', `There is no lock ${named ?? `${stateFileName} here`}.`, {
    hint:
      named === undefined
        ? 'Name it with --lock FILE; it lies beside the manifest once that was applied.'
        : 'A lock lies beside its manifest once that was applied.',
  });
}

async function organizationIn(session: Session, path: string): Promise<string> {
  const { place } = await session.api();
  const { sections } = readStateFile(path);
  const shown = relative(session.runtime.cwd, path);
  if (sections.length === 0)
    throw new Problem('not-found', `The lock ${shown} is empty.`, {
      hint: 'Nothing was applied with it yet.',
    });
  const all = new Set(sections.map(({ organization }) => organization));
  const org = session.settings.org?.value;
  if (org !== undefined) {
    const organization = all.has(org) ? org : await resolveOrganization(session, org);
    if (all.has(organization)) return organization;
    throw new Problem('not-found', `The lock ${shown} has nothing for organization ${organization}.`, {
      hint: `It is for ${some([...all], 5)}; name that with --org.`,
    });
  }
  // An organization is the same by whatever address it was applied; those of this one are likelier meant.
  const here = new Set(
    sections.flatMap((section) => (section.place === place ? [section.organization] : [])),
  );
  const [first, ...others] = here.size === 0 ? all : here;
  if (others.length === 0) return first!;
  throw new Problem('usage', `The lock ${shown} is for ${others.length + 1} organizations.`, {
    hint: `Say which with --org: ${some([first!, ...others])}.`,
  });
}
