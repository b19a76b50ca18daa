import { noContent, operation } from '../../../contract/operation.ts';
import { closed, Id, Type } from '../../../contract/schema.ts';
import { spaceBase } from '../base.ts';
import { getContentOperation } from '../declarations.ts';
import { Template } from '../../change-requests/contract.ts';

export const getContent = getContentOperation(spaceBase);

export const applyTemplate = operation({
  id: 'spaces.content.apply-template',
  route: 'POST /spaces/:spaceId/content/template',
  summary: 'Fill a space, or a change request of it, from a template',
  access: 'space.edit',
  body: closed({ ...Template.properties, changeRequestId: Type.Optional(Id) }),
  returns: noContent(),
});
