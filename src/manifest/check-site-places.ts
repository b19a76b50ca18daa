import type { Desired, DesiredResource } from './desired.ts';
import { readField, type Body } from './kind.ts';
import type { StatedLink } from './kinds/external-links.ts';
import type { StatedRedirect } from './kinds/redirects.ts';
import type { SectionBody } from './kinds/structure.ts';
import { kindNamed } from './kinds/index.ts';
import type { Faults } from './read/faults.ts';
import { scopeKey, type Survey } from './survey.ts';
import { isReference, isSame } from './value.ts';

/** A section or group of a site after the apply. */
interface Part {
  /** Its ID, or its address if it does not exist yet. */
  readonly id: string;
  /** Path of a section, or title of a group. */
  readonly name: unknown;
  /** The ID or address of the group that contains it. The contents of a deleted group move to the group around it. */
  readonly within: string | undefined;
  readonly isDeleted?: boolean;
  /** The spaces that a section shows before or after the apply. */
  readonly spaces: readonly unknown[];
}

/**
 * Reports external links that cannot be put into their group or after their section, and new redirects to sections or spaces that
 * the site has never had. Redirects to deleted ones are not faults; the plan shows them.
 */
export function checkSitePlaces(
  { byAddress }: Pick<Desired, 'byAddress'>,
  survey: Survey,
  deleted: ReadonlySet<string>,
  faults: Faults,
): void {
  for (const site of byAddress.values()) {
    const stated = site.kind.name === 'site' ? site.fields.get('externalLinks') : undefined;
    const links = (stated?.value ?? []) as StatedLink[];
    if (site.kind.name !== 'site' || (links.length === 0 && !site.fields.has('redirects'))) continue;
    const sections = partsOf(['section', 'path', 'group'], site, survey, deleted);
    const groups = partsOf(['section-group', 'title', 'parent'], site, survey, deleted);
    for (const [index, { group, after }] of links.entries()) {
      const fault = (field: string, message: string) =>
        faults.add(stated?.locate?.([index, field]) ?? site.at, message);
      const found = groups?.filter(
        ({ id, name, isDeleted }) => isDeleted !== true && (name === group || id === group),
      );
      if (group !== undefined && found?.length === 0)
        fault('group', `the site has no section group "${group}"`);
      if (typeof after !== 'string' || sections === undefined) continue;
      const section = sections.find(({ name, isDeleted }) => isDeleted !== true && name === after);
      const [only, another] = found ?? [];
      if (section === undefined) fault('after', `the site has no section with the path "${after}"`);
      else if (groups && only && another === undefined && !isInside(section, only.id, groups))
        fault('after', `the section "${after}" is not in the group "${group}"`);
    }
    if (sections !== undefined) checkRedirects(site, survey, sections, faults);
  }
}

function checkRedirects(
  site: DesiredResource,
  survey: Survey,
  sections: readonly Part[],
  faults: Faults,
): void {
  const key = `${site.address} redirects`;
  const stated = site.fields.get('redirects');
  if (stated === undefined || survey.unfetched.has(key)) return;
  const before = (survey.fetched.get(key) ?? []) as readonly unknown[];
  const redirects = (survey.valueOf(site, 'redirects') ?? []) as StatedRedirect[];
  for (const [index, redirect] of redirects.entries()) {
    const { section, space } = redirect;
    if (before.some((old) => isSame(old, redirect))) continue;
    const within = sections.filter(({ name }) => section === undefined || name === section);
    const fault = (field: string, message: string) =>
      faults.add(stated.locate?.([index, field]) ?? stated.at, message);
    if (section !== undefined && within.length === 0)
      fault('section', `the site has no section with the path "${section}"`);
    // The spaces of a site without sections are not known here.
    else if (
      space !== undefined &&
      within.length > 0 &&
      !within.some(({ spaces }) => spaces.some((one) => isSame(one, space)))
    )
      fault(
        'space',
        `the ${section === undefined ? 'site' : `section "${section}"`} does not show this space`,
      );
  }
}

/** Returns the parts of a site after an apply; undefined if they were not read. */
function partsOf(
  [kindName, nameField, groupField]: readonly [kind: string, nameField: string, groupField: string],
  { address, inside }: DesiredResource,
  survey: Survey,
  deleted: ReadonlySet<string>,
): Part[] | undefined {
  const kind = kindNamed(kindName);
  const bodies = survey.live.get(scopeKey(kindName, address));
  if (bodies === undefined && survey.bindings.get(address)?.body !== undefined) return undefined;
  const blocks = inside.filter((one) => one.kind.name === kindName);
  const bound = new Set<string>();
  const parts = blocks.map((block): Part => {
    const body = survey.bindings.get(block.address)?.body;
    if (body !== undefined) bound.add(body.id);
    const read = (field: string): unknown => {
      if (block.fields.has(field)) return survey.valueOf(block, field);
      return body && readField(kind, field, body, survey.people);
    };
    const stated = block.inside.map((one) => survey.valueOf(one, 'space'));
    const spaces = [...stated, ...spacesOf(body)];
    return { id: body?.id ?? block.address, name: read(nameField), within: idOf(read(groupField)), spaces };
  });
  for (const body of bodies ?? []) {
    const read = (field: string): unknown => readField(kind, field, body, survey.people);
    if (bound.has(body.id)) continue;
    const isDeleted = deleted.has(body.id);
    const [name, within] = [read(nameField), idOf(read(groupField))];
    parts.push({ id: body.id, name, within, isDeleted, spaces: spacesOf(body) });
  }
  return parts;
}

function spacesOf(section: Body | undefined): string[] {
  return ((section as SectionBody | undefined)?.siteSpaces ?? []).map(({ space }) => space.id);
}

function idOf(group: unknown): string | undefined {
  return isReference(group) ? group['docsctl:ref'] : ((group ?? undefined) as string | undefined);
}

/** Returns whether a group contains a section, directly or through other groups. */
function isInside({ within }: Part, group: string, groups: readonly Part[]): boolean {
  const seen = new Set<string>();
  for (let above = within; above !== undefined && !seen.has(above);) {
    if (above === group) return true;
    seen.add(above);
    above = groups.find(({ id }) => id === above)?.within;
  }
  return false;
}
