import type { RichNode } from '../contract/shapes.ts';
import { groupBy, isObject } from '../contract/values.ts';
import { textOfValue } from '../richtext/nodes.ts';
import { operationAnchor } from '../richtext/operation-anchor.ts';
import { writeSamples } from '../specification/code-samples.ts';
import { schemasOf } from '../specification/specification-tree.ts';
import type { CodeSample } from '../specification/stated-samples.ts';
import {
  findOperation,
  targetOfBlock,
  viewEntry,
  type ContentView,
  type OperationView,
  type ResponseView,
} from '../specification/view-operation.ts';
import { SchemaViewer } from '../specification/view-schema.ts';
import { classes, empty, markup, join, Markup, type Content } from './markup.ts';
import type { Renderer } from './render-context.ts';
import { headingsIn, titleOf } from './anchors.ts';
import { renderFacts, renderFields, renderSchema } from './render-schema.ts';

/** Renders an operation of a specification: its parameters, its responses, and examples of requests and responses. */
export function renderOperationBlock(node: RichNode, renderer: Renderer): Markup {
  const specification = renderer.specification(node.data?.['ref']);
  const target = targetOfBlock(node);
  const found = specification && findOperation(specification, target);
  if (specification !== undefined && found !== undefined)
    return renderOperation(
      viewEntry(specification, found, target.isWebhook ? 'webhooks' : 'paths'),
      renderer,
    );
  const content = renderer.blocks(node.nodes);
  return markup`<div class="operation operation-missing"><p><span class="method">${target.method}</span> <code>${target.path}</code></p>${content}</div>`;
}

/** The number of schemas that all named schemas together show inside of them, unless there are very many. */
const maxSchemas = 1500;

/** Renders the named schemas of a specification, or all of them. */
export function renderSchemasBlock(node: RichNode, renderer: Renderer): Markup {
  return join([...renderSchemas(node, renderer)]);
}

/** Renders the schemas of a block one after the other, because hundreds take long. */
export function* renderSchemas(node: RichNode, renderer: Renderer): Generator<Markup> {
  const specification = renderer.specification(node.data?.['ref']);
  if (specification === undefined) return yield renderer.blocks(node.nodes);
  const all = schemasOf(specification);
  const wanted = node.data?.['schemas'];
  const names = Array.isArray(wanted) ? wanted.map(textOfValue).map((name) => name.trim()) : Object.keys(all);
  const shown = names.filter((name) => isObject(all[name]));
  const most = Math.min(300, Math.max(10, Math.floor(maxSchemas / shown.length)));
  const headings = new Map(headingsIn(node.nodes ?? []).map((heading) => [titleOf(heading), heading]));
  for (const name of shown) {
    const heading = headings.get(name);
    const id = heading === undefined ? renderer.anchors.named(name) : renderer.anchors.ofHeading(heading);
    renderer.addToOutline({ level: 3, title: name, anchor: id });
    const view = new SchemaViewer(specification, most).view(all[name]);
    yield markup`<details class="schema" id="${id}"><summary><code>${name}</code></summary><div class="details-body">${renderSchema(view, renderer)}</div></details>`;
  }
}

function renderOperation(operation: OperationView, renderer: Renderer): Markup {
  const { words } = renderer;
  const { method, path, servers, isWebhook, body, responses, callbacks } = operation;
  const id = renderer.anchors.named(operationAnchor(method, path));
  // A webhook is sent to a server of the reader.
  const [server = ''] = isWebhook ? [] : servers;
  const left = [
    renderParts(operation, renderer),
    callbacks.length === 0
      ? empty
      : renderPart(
          words.callbacks,
          callbacks.map(({ name, operation: sent }) => renderCallback(name, sent, renderer)),
        ),
  ];
  const sent = isWebhook && body !== undefined ? examplesOf(words.body, body.contents) : [];
  return markup`<section class="operation" id="${id}" aria-label="${operation.title}">${renderTitle(operation, id, renderer)}<p class="operation-head"><span${classes('method', `method-${method}`)}>${isWebhook ? words.webhook : method}</span> <code><span class="server">${server.replace(/\/$/, '')}</span>${path}</code></p><div class="operation-columns"><div class="operation-text">${left}</div><div class="operation-samples">${renderSamples(operation, renderer)}${renderExamples(sent, renderer)}${renderAnswers(responses, renderer)}</div></div></section>`;
}

/** Renders the title of an operation as a heading, unless it equals a heading of the page, or its method and path. */
function renderTitle({ title, method, path }: OperationView, anchor: string, renderer: Renderer): Markup {
  if (!renderer.isNew(title) || title === `${method.toUpperCase()} ${path}`) return empty;
  const { level, look } = renderer.levelOf(3);
  renderer.addToOutline({ level: Math.min(3, look), title, anchor });
  const name = new Markup(`h${level}`);
  return markup`<${name}${classes(look !== level && `h${look}`)}>${title}</${name}>`;
}

/** Renders what an operation needs and what it responds with. */
function renderParts(operation: OperationView, renderer: Renderer): Content {
  const { words } = renderer;
  const { isDeprecated, description, parameters, body, responses } = operation;
  return [
    isDeprecated ? markup`<p><span class="tag tag-warning">${words.deprecated}</span></p>` : empty,
    description === '' ? empty : renderer.markdown(description),
    renderSecurity(operation, renderer),
    parameters.map(({ place, fields }) =>
      renderPart(words.parameters[place], renderFields(fields, renderer)),
    ),
    body === undefined
      ? empty
      : renderPart(
          [words.body, body.isRequired ? markup` <span class="required">${words.required}</span>` : empty],
          [
            body.description === '' ? empty : renderer.markdown(body.description),
            renderContents(body.contents, renderer),
          ],
        ),
    responses.length === 0
      ? empty
      : renderPart(
          words.responses,
          responses.map((response) => renderResponse(response, renderer)),
        ),
  ];
}

/** Renders a request that the API sends, with an example of its body. */
function renderCallback(name: string, sent: OperationView, renderer: Renderer): Markup {
  const { method, path, body } = sent;
  const examples = body === undefined ? [] : examplesOf(renderer.words.body, body.contents);
  return markup`<details class="response"><summary><span${classes('method', `method-${method}`)}>${method}</span> <span>${name}</span></summary><div class="details-body"><p><code>${path}</code></p>${renderParts(sent, renderer)}${renderExamples(examples, renderer)}</div></details>`;
}

function renderPart(title: Content, content: Content): Markup {
  return markup`<div class="operation-part"><p class="operation-title">${title}</p>${content}</div>`;
}

function renderSecurity({ security }: OperationView, renderer: Renderer): Markup {
  if (security.every((all) => all.length === 0)) return empty;
  const lines = security.map(
    (all) =>
      markup`<li>${all.length === 0 ? renderer.words.noCredentials : empty}${all.map(
        ({ name, place, scopes, description }, index) =>
          markup`<div>${index === 0 ? '' : '+ '}<strong>${name}</strong> <code>${place}</code>${scopes.map((scope) => markup` <span class="tag">${scope}</span>`)}${description === '' ? empty : renderer.markdown(description)}</div>`,
      )}</li>`,
  );
  return renderPart(renderer.words.authorization, markup`<ul class="plain">${lines}</ul>`);
}

function renderContents(contents: readonly ContentView[], renderer: Renderer): Markup {
  // Formats of the same schema are shown together.
  return join(
    [...groupBy(contents, ({ schema }) => schema)].map(
      ([schema, group]) =>
        markup`<p class="media-type">${group.map(({ mediaType }) => markup`<code>${mediaType}</code> `)}</p>${renderSchema(schema, renderer)}`,
    ),
  );
}

function renderResponse(
  { status, description, headers, contents, links }: ResponseView,
  renderer: Renderer,
): Markup {
  const rest = join([
    headers.length === 0
      ? empty
      : [markup`<p class="operation-title">${renderer.words.headers}</p>`, renderFields(headers, renderer)],
    renderContents(contents, renderer),
    links.length === 0 ? empty : renderLinks(links, renderer),
  ]);
  const kind = /^[1-5]/.test(status) ? `status-${status.charAt(0)}` : 'status-other';
  const head = markup`<span class="status ${kind}">${status}</span>`;
  if (rest.text === '')
    return markup`<div class="response">${head}<div>${description === '' ? empty : renderer.markdown(description)}</div></div>`;
  // A summary cannot contain blocks.
  const [lead, more] = renderer.lead(description);
  return markup`<details class="response"><summary>${head}<span>${lead}</span></summary><div class="details-body">${more}${rest}</div></details>`;
}

function renderLinks(links: ResponseView['links'], renderer: Renderer): Markup {
  return markup`<p class="operation-title">${renderer.words.responseLinks}</p><ul class="fields">${links.map(
    ({ name, operation, description, values }) =>
      markup`<li><p class="field"><code>${name}</code> <span class="type">${operation}</span></p>${description === '' ? empty : renderer.markdown(description)}${renderFacts(values)}</li>`,
  )}</ul>`;
}

/** Renders example requests in several languages, as tabs. */
function renderSamples(operation: OperationView, renderer: Renderer): Markup {
  return renderExamples(writeSamples(operation), renderer);
}

function renderAnswers(responses: readonly ResponseView[], renderer: Renderer): Markup {
  return renderExamples(
    responses.flatMap(({ status, contents }) => examplesOf(status, contents)),
    renderer,
  );
}

/** Returns the examples of the first format that has some. */
function examplesOf(title: string, contents: readonly ContentView[]): CodeSample[] {
  return contents
    .filter((each) => each.examples.length > 0)
    .slice(0, 1)
    .flatMap(({ mediaType, examples }) =>
      examples.slice(0, 5).map(({ name, text }) => ({
        label: name === '' ? title : `${title} ${name}`,
        syntax: mediaType.includes('json') ? 'json' : mediaType.includes('xml') ? 'xml' : '',
        code: text,
      })),
    );
}

function renderExamples(examples: readonly CodeSample[], renderer: Renderer): Markup {
  if (examples.length === 0) return empty;
  return markup`<div class="tabs">${examples.map(({ label, syntax, code }) => {
    const id = renderer.anchors.named(label);
    return markup`<section class="tab" id="${id}" data-tab="${label}"><div class="tab-title">${label}</div>${renderer.code(code, syntax)}</section>`;
  })}</div>`;
}
