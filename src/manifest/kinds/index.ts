import type { Kind } from '../kind.ts';
import { agentInstructions } from './agent-instructions.ts';
import { collection } from './collection.ts';
import { integration } from './integration.ts';
import { member } from './member.ts';
import { openapi } from './openapi.ts';
import { organization } from './organization.ts';
import { saml } from './saml.ts';
import { sectionGroup } from './section-group.ts';
import { section } from './section.ts';
import { shareLink } from './share-link.ts';
import { siteSpace } from './site-space.ts';
import { site } from './site.ts';
import { space } from './space.ts';
import { team } from './team.ts';
import { translation } from './translation.ts';

/**
 * Every kind of resource that a manifest manages, in the order of creation; deletes run it backwards. A kind stands behind
 * what it lies in and behind all that it refers to; steps of one kind wait for each other only where one refers to another.
 *
 *   teams ──▶ members ──▶ SAML ──▶ collections ──▶ spaces ──▶ OpenAPI ──▶ sites ──▶ section groups ──▶ sections ──▶ site spaces ──▶ share links ─┐
 *                        (parents                              │                                                                     │
 *                         first)                               └── then, when all inside is there: visibility, published             │
 *                                          translations ◀── integrations ◀── agent instructions ◀── organization settings ◀──────────┘
 *                                                                                                   (what opens first)
 */
export const kinds: readonly Kind[] = [
  team,
  member,
  saml,
  collection,
  space,
  openapi,
  site,
  sectionGroup,
  section,
  siteSpace,
  shareLink,
  organization,
  agentInstructions,
  integration,
  translation,
];

/** Returns the kind with a name. @throws an Error if there is none */
export function kindNamed(name: string, table: readonly Kind[] = kinds): Kind {
  const found = table.find((kind) => kind.name === name);
  if (found === undefined) throw new Error(`no kind ${name}`);
  return found;
}
