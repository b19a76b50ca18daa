import { fieldsOf, textOf } from '../richtext/page-settings.ts';
import { isRecord } from '../contract/values.ts';
import { violationsOf } from '../contract/check.ts';
import { IntegrationSource, isFromSpecification, type PageSource } from './computed-source.ts';

/** Parses the source of generated pages from YAML; undefined for anything else. */
export function readComputed(value: unknown): PageSource | undefined {
  const given = fieldsOf(value);
  if (textOf(given.get('type'))?.startsWith('integration:') === true)
    return violationsOf(IntegrationSource, value, '').length === 0
      ? inOrder(value as IntegrationSource)
      : undefined;
  const ref = fieldsOf(fieldsOf(fieldsOf(given.get('dependencies')).get('spec')).get('ref'));
  const spec = textOf(ref.get('spec'));
  if (given.get('type') !== 'builtin:openapi' || ref.get('kind') !== 'openapi') return undefined;
  if (spec === undefined || !/^[a-zA-Z0-9]+(?:-[a-zA-Z0-9]+)*$/.test(spec) || spec.length > 100)
    return undefined;
  const props = fieldsOf(given.get('props'));
  const downloadLink = props.get('downloadLink');
  const grouping = props.get('grouping');
  return {
    type: 'builtin:openapi',
    props: {
      models: props.get('models') === true,
      ...(typeof downloadLink === 'boolean' ? { downloadLink } : {}),
      ...(grouping === 'by-tag' || grouping === 'by-operation' ? { grouping } : {}),
    },
    dependencies: { spec: { ref: { kind: 'openapi', spec } } },
  };
}

/** Returns a source with its fields in a fixed order, so that equal sources have equal texts. */
function inOrder({ type, props, dependencies }: IntegrationSource): IntegrationSource {
  return {
    type,
    props: sorted(props),
    ...(dependencies === undefined ? {} : { dependencies: sorted(dependencies) }),
  };
}

function sorted<T>(value: T): T {
  if (Array.isArray(value)) return value.map(sorted) as T;
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)])) as T;
}

/** Returns an address for the source of generated pages. */
export function addressOfComputed(source: PageSource): string {
  return isFromSpecification(source) ? `openapi:${titleOfComputed(source)}` : source.type;
}

/** Returns the title of the page that generated pages replace. */
export function titleOfComputed(source: PageSource): string {
  return isFromSpecification(source)
    ? source.dependencies.spec.ref.spec
    : source.type.slice(source.type.lastIndexOf(':') + 1);
}
