import { innerOf as innermostOf, type FieldView, type SchemaView } from '../specification/view-schema.ts';
import { classes, empty, markup, join, type Markup } from './markup.ts';
import type { Renderer } from './render-context.ts';

/** Maximum number of enum values that are shown at once. */
const maxValues = 30;

/** Renders a schema: its fields if it is an object or a list of objects, otherwise its possible values. */
export function renderSchema(schema: SchemaView, renderer: Renderer): Markup {
  const inner = innerOf(schema, renderer);
  return markup`<div class="schema-body"><p class="type">${schema.type}</p>${detailsOf(schema, renderer)}${inner}</div>`;
}

/** Renders fields with their types. Fields that are objects can be expanded. */
export function renderFields(fields: readonly FieldView[], renderer: Renderer): Markup {
  return markup`<ul class="fields">${fields.map((field) => renderField(field, renderer))}</ul>`;
}

function renderField(
  { name, isRequired, isDeprecated, description, schema }: FieldView,
  renderer: Renderer,
): Markup {
  const { words } = renderer;
  const flags = [
    isRequired ? markup` <span class="required">${words.required}</span>` : empty,
    isDeprecated ? markup` <span class="tag tag-warning">${words.deprecated}</span>` : empty,
  ];
  const inner = innerOf(schema, renderer);
  const more =
    inner.text === ''
      ? empty
      : markup`<details class="inner-fields"><summary>${innermostOf(schema).variants.length > 0 ? words.variants : words.fields}</summary>${inner}</details>`;
  return markup`<li><p class="field"><code${classes(isDeprecated && 'deprecated')}>${name}</code> <span class="type">${schema.type}</span>${flags}</p>${
    description === '' ? empty : renderer.markdown(description)
  }${detailsOf({ ...schema, description: description === '' ? schema.description : '' }, renderer)}${more}</li>`;
}

/** Renders the description, limits and values of a schema. */
function detailsOf(schema: SchemaView, renderer: Renderer): Markup {
  const { words } = renderer;
  const { limits, values, description, discriminator } = schema;
  const choices = choicesOf(schema);
  const facts = [
    ...limits,
    ...(choices.length === 0 && discriminator !== undefined
      ? [`discriminator: ${discriminator.property}`]
      : []),
    ...(schema.default === undefined ? [] : [`${words.standard}: ${schema.default}`]),
    ...(schema.example === undefined ? [] : [`${words.example}: ${schema.example}`]),
  ];
  return join([
    description === '' ? empty : renderer.markdown(description),
    renderValues(words.values, values),
    renderValues(discriminator?.property ?? '', choices),
    renderFacts(facts),
  ]);
}

/**
 * Returns the values of a discriminator with the titles of their variants. Without a mapping, the values are the names of the
 * schemas. The only value of a variant is shown alone.
 */
function choicesOf({ discriminator, variants, names }: SchemaView): string[] {
  if (discriminator === undefined) return [];
  const { mapping } = discriminator;
  const named = variants.flatMap((each) => each.names.slice(0, 1).map((name) => [name, name] as const));
  return (mapping.length > 0 ? mapping : named).map(([value, name]) => {
    const title = variants.find((each) => each.names[0] === name)?.title ?? name;
    return value === title || names.includes(name) ? value : `${value} → ${title}`;
  });
}

/** Renders short facts, such as `min: 1`. */
export function renderFacts(facts: readonly string[]): Markup {
  return facts.length === 0
    ? empty
    : markup`<p class="facts">${facts.map((fact) => markup`<code>${fact}</code> `)}</p>`;
}

function renderValues(title: string, values: readonly string[]): Markup {
  return values.length === 0
    ? empty
    : markup`<p class="values">${title}: ${values.slice(0, maxValues).map((value) => markup`<code>${value}</code> `)}${values.length > maxValues ? '…' : empty}</p>`;
}

function innerOf(schema: SchemaView, renderer: Renderer): Markup {
  const { fields, items, variants } = schema;
  if (variants.length > 0)
    return markup`<ul class="variants">${variants.map((variant) => {
      const inner = join([detailsOf(variant, renderer), innerOf(variant, renderer)]);
      const title = variant.title || variant.type;
      return inner.text === ''
        ? markup`<li>${title}</li>`
        : markup`<li><details><summary>${title}</summary>${inner}</details></li>`;
    })}</ul>${fields.length === 0 ? empty : renderFields(fields, renderer)}`;
  if (fields.length > 0) return renderFields(fields, renderer);
  return items === undefined ? empty : join([detailsOf(items, renderer), innerOf(items, renderer)]);
}
