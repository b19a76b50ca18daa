import type { Desired, DesiredResource } from './desired.ts';
import type { StatedLink } from './kinds/external-links.ts';
import { kindNamed } from './kinds/index.ts';
import { readField } from './read-field.ts';
import type { Faults } from './read/faults.ts';
import { scopeKey, type Survey } from './survey.ts';
import { isReference } from './value.ts';

/** A section or group of a site after the apply. */
interface Part {
  /** Its ID, or its address if it does not exist yet. */
  readonly id: string;
  /** Path of a section, or title of a group. */
  readonly name: unknown;
  /** ID or address of the group that contains it. What is in a deleted group moves to the one around it. */
  readonly within: string | undefined;
  readonly isDeleted?: boolean;
}

/** Reports the external links that an apply could not put into their group, or behind their section. */
export function checkLinkPlaces(
  { byAddress }: Pick<Desired, 'byAddress'>,
  survey: Survey,
  deleted: ReadonlySet<string>,
  faults: Faults,
): void {
  for (const site of byAddress.values()) {
    const stated = site.kind.name === 'site' ? site.fields.get('externalLinks') : undefined;
    const links = (stated?.value ?? []) as StatedLink[];
    if (links.length === 0) continue;
    const sections = partsOf(['section', 'path', 'group'], site, survey, deleted);
    const groups = partsOf(['section-group', 'title', 'parent'], site, survey, deleted);
    for (const [index, { group, after }] of links.entries()) {
      const fault = (field: string, message: string): void =>
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
  }
}

/** Returns the parts of a site, as an apply leaves them; undefined if nobody has read them. */
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
    return { id: body?.id ?? block.address, name: read(nameField), within: idOf(read(groupField)) };
  });
  for (const body of bodies ?? []) {
    const read = (field: string): unknown => readField(kind, field, body, survey.people);
    if (bound.has(body.id)) continue;
    const isDeleted = deleted.has(body.id);
    parts.push({ id: body.id, name: read(nameField), within: idOf(read(groupField)), isDeleted });
  }
  return parts;
}

function idOf(group: unknown): string | undefined {
  return isReference(group) ? group['docsctl:ref'] : ((group ?? undefined) as string | undefined);
}

/** Returns whether a group contains a section, also through other groups. */
function isInside({ within }: Part, group: string, groups: readonly Part[]): boolean {
  const seen = new Set<string>();
  for (let above = within; above !== undefined && !seen.has(above);) {
    if (above === group) return true;
    seen.add(above);
    above = groups.find(({ id }) => id === above)?.within;
  }
  return false;
}
