import { noContent, operation } from '../../../contract/operation.ts';
import { closed, Id, Type } from '../../../contract/schema.ts';
import { spaceBase } from '../base.ts';
import { getContentOperation, listTextsOperation } from '../declarations.ts';
import { Template } from '../../change-requests/contract.ts';

export const getContent = getContentOperation(spaceBase);
export const listTexts = listTextsOperation(spaceBase);

export const applyTemplate = operation({
  id: 'spaces.content.apply-template',
  route: 'POST /spaces/:spaceId/content/template',
  summary: 'Fill a space, or a change request of it, from a template',
  description:
    'A template is a space of the same organization: its pages, files and includes are added at the end. A link in it to /refs/NAME leads to the content reference of that name. Without changeRequestId the content of the space itself changes.',
  access: 'space.edit',
  body: closed({ ...Template.properties, changeRequestId: Type.Optional(Id) }),
  returns: noContent(),
  cli: { examples: ['docsctl spaces content apply-template Guide --id Template --change-request-id 7'] },
});
