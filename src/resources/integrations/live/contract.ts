import { noContent, ok, operation } from '../../../contract/operation.ts';
import { closed, Id, oneOf, Type } from '../../../contract/schema.ts';
import { mapOf } from '../parts/contract.ts';

const theme = Type.Optional(oneOf(['light', 'dark'], { description: 'theme of the page (default: light)' }));
const place = { organizationId: Id, spaceId: Id, siteId: Id };

const RenderContext = Type.Union([
  closed({
    type: Type.Literal('document'),
    theme,
    spaceId: place.spaceId,
    editable: Type.Optional(Type.Boolean()),
  }),
  closed({ type: Type.Literal('configuration_account'), theme, organizationId: place.organizationId }),
  closed({ type: Type.Literal('configuration_space'), theme, spaceId: place.spaceId }),
  closed({ type: Type.Literal('configuration_site'), theme, siteId: place.siteId }),
  closed({
    type: Type.Literal('configuration_contentsource'),
    theme,
    organizationId: place.organizationId,
    spaceId: Type.Optional(place.spaceId),
  }),
]);

const values = (description: string) => mapOf<unknown>(true, { description });

/** A component to draw. */
export const RenderRequest = closed({
  componentId: Type.String({
    minLength: 1,
    maxLength: 255,
    description: 'component of the integration, by ID',
  }),
  props: values('properties of the component, by name'),
  state: Type.Optional(values('state of the component, from the previous response')),
  context: {
    ...RenderContext,
    description: 'where the component is drawn; `docsctl explain integrations.render` lists the types',
  },
  action: Type.Optional(values('what the reader did, such as the action of the button that they pressed')),
});

/** The answer of a component: the elements to draw, or its return value when it completes. */
const Rendered = Type.Object({ type: oneOf(['element', 'complete']) }, { additionalProperties: true });

export const render = operation({
  id: 'integrations.render',
  route: 'POST /integrations/:integrationName/render',
  summary: 'Draw a component of an integration',
  description:
    'The script of the integration responds with `"type": "element"` and a tree of ContentKit elements, which describe what to draw, or with `"type": "complete"` and a value when the reader has finished with the component, for example with a dialog. To draw in a document, you need the read role on the space. To draw elsewhere, you need the admin role in the organization.',
  access: 'integration.caller',
  body: RenderRequest,
  returns: ok(Rendered),
  safe: true,
  cli: {
    columns: ['type', 'element.type'],
    examples: [
      'docsctl integrations render slack --component unfurl --props \'{"url":"https://example.com"}\' --context \'{"type":"document","spaceId":"spc_1"}\'',
    ],
  },
});

export const renderCompressed = operation({
  id: 'integrations.render-compressed',
  route: 'GET /integrations/:integrationName/render',
  summary: 'Draw a component of an integration, from a compressed request',
  description:
    'It does the same as `docsctl integrations render`. Programs use it, because answers to GET requests can be cached.',
  access: 'integration.caller',
  query: {
    request: Type.String({
      minLength: 1,
      maxLength: 8192,
      description: 'the request as JSON, compressed with LZ-string to base64',
    }),
  },
  returns: ok(Rendered),
  cli: { composite: true },
});

export const queueTask = operation({
  id: 'integrations.tasks',
  route: 'POST /integrations/:integrationName/tasks',
  summary: 'Queue a task for an integration',
  description:
    'The script of the integration gets the task as an event. An integration queues tasks with its own token or, for a task of one installation, with the token of that installation. Other callers need the admin role in the organization that publishes the integration.',
  access: 'integration.caller',
  body: closed({
    task: values('task for the script, of any form'),
    schedule: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 86_400,
        description: 'seconds to wait before the task runs, up to 86400 (default: 0)',
      }),
    ),
  }),
  returns: noContent(),
  cli: { examples: ['docsctl integrations tasks slack --task \'{"type":"refresh"}\' --schedule 60'] },
});
