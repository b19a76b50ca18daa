import type { Static } from '../../contract/schema.ts';
import type { Handler, UrlContext } from '../../core/handler.ts';
import { members, organizations, type OrganizationRow } from '../../core/rows/organizations.ts';
import type * as contract from './contract.ts';

export const getAgentInstructions: Handler<typeof contract.getAgentInstructions> = async (context) => {
  const { tx, organization, caller } = context;
  if (organization.instructions !== undefined)
    return shapeInstructions(context, organization.id, organization.instructions);
  // Default for instructions that nobody has written: the creation time and the first administrator of the organization.
  const [first] = await tx.find(members, { index: 'byRole', equals: [organization.id, 'admin'], limit: 1 });
  const document = { object: 'document' as const, data: { schemaVersion: 2 }, nodes: [] };
  return shapeInstructions(context, organization.id, {
    document,
    updatedAt: organization.createdAt,
    updatedBy: first?.user ?? caller.user.id,
  });
};

export const updateAgentInstructions: Handler<typeof contract.updateAgentInstructions> = async (
  context,
  { body },
) => {
  const { tx, organization, caller, now } = context;
  const instructions = { document: body.instructions, updatedAt: now, updatedBy: caller.user.id };
  await tx.update(organizations, organization.id, { instructions });
  return shapeInstructions(context, organization.id, instructions);
};

function shapeInstructions(
  { url }: UrlContext,
  organization: string,
  { document, updatedAt, updatedBy }: NonNullable<OrganizationRow['instructions']>,
): Static<typeof contract.AgentInstructions> {
  return {
    object: 'agent-instructions',
    instructions: document,
    updatedAt,
    updatedBy,
    urls: { location: url(`/v1/orgs/${organization}/agent-instructions`) },
  };
}
