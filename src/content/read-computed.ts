import { fieldsOf, textOf } from '../richtext/page-settings.ts';
import type { ComputedSource } from './computed-source.ts';

/** Reads the source of generated pages from YAML; undefined for anything else. */
export function readComputed(value: unknown): ComputedSource | undefined {
  const given = fieldsOf(value);
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

/** The address that stands for the source of generated pages. */
export function addressOfComputed({ dependencies }: ComputedSource): string {
  return `openapi:${dependencies.spec.ref.spec}`;
}
