import { noContent, operation, type NounHelp } from '../../../contract/operation.ts';
import { closed, Id, Type } from '../../../contract/schema.ts';
import { spaceBase } from '../base.ts';
import { getContentOperation, listTextsOperation } from '../declarations.ts';
import { TemplateParams } from '../../change-requests/contract.ts';

export const nounHelp: NounHelp = {
  description:
    'The content of a space is its published pages, files and texts. It changes when a change request is merged.',
  examples: ['docsctl spaces content get Guide -o json --no-texts', 'docsctl spaces content texts Guide'],
};

export const getContent = getContentOperation(spaceBase);
export const listTexts = listTextsOperation(spaceBase);

export const applyTemplate = operation({
  id: 'spaces.content.apply-template',
  route: 'POST /spaces/:spaceId/content/template',
  summary: 'Add the content of a template to a space or to a change request',
  description:
    'A template is a space of the same organization. Its pages, files and includes are added at the end. A link to /refs/NAME in the template is replaced by a link to the content reference that --params gives for NAME. Without --change-request, the content of the space itself changes.',
  access: 'space.edit',
  body: closed({
    id: Type.String({ ...Id, description: 'template' }),
    params: Type.Optional({ ...TemplateParams, description: 'content references of the template' }),
    changeRequestId: Type.Optional(
      Type.Union([Id, Type.Integer({ minimum: 1 })], {
        description: 'change request that receives the content, by number or ID',
      }),
    ),
  }),
  returns: noContent(),
  cli: {
    examples: [
      'docsctl spaces content apply-template "Old guide" --id Template',
      'docsctl spaces content apply-template Guide --id Template --change-request 4',
    ],
  },
});
