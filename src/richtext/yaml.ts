import { isMap, isNode, isScalar, LineCounter, Parser, parseDocument, stringify, visit } from 'yaml';
import { isObject } from '../contract/values.ts';
import { Problem } from '../errors/problem.ts';
import { describeUnclosed, syntaxFault } from './yaml-mistakes.ts';

const maxDepth = 64;
/** Maximum number of tokens, including spaces and line ends. `yaml` takes about 10 microseconds for each. */
const maxNodes = 500_000;

/** A YAML value, and the lines of its parts. */
interface LocatedYaml {
  readonly value: unknown;
  readonly lineOf: (path: readonly (string | number)[]) => number | undefined;
}

/**
 * Parses one YAML document with at most 64 levels, without aliases. The depth is checked before `yaml` composes it, because
 * `yaml` would end the whole process for a deep text. `yaml`'s check for equal keys is not used, because it takes quadratic time.
 *
 * @throws Problem(invalid-input) if the text is not such a document, Problem(too-large) if it has too many values
 */
export function parseYaml(text: string, name: string): unknown {
  return parseLocatedYaml(text, name).value;
}

/**
 * Parses YAML like `parseYaml`, and also returns the line of the value at a path of keys and indexes, from 1; undefined if there
 * is no value at the path.
 *
 * @throws Problem like `parseYaml`
 */
export function parseLocatedYaml(text: string, name: string): LocatedYaml {
  const lines = new LineCounter();
  const document = compose(text, name, lines);
  const [error] = [...document.errors, ...document.warnings];
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${name}, line ${line}, column ${col}`;
  };
  if (error !== undefined) {
    const fault = syntaxFault(error.message, error.pos[0]);
    const { offset, message } = describeUnclosed(text, fault) ?? fault;
    throw new Problem('invalid-input', `${at(offset)}: ${message}.`);
  }
  visit(document, {
    Scalar: (_, node) => {
      // An escape can encode half of a surrogate pair, which the API refuses.
      if (typeof node.value === 'string') node.value = node.value.toWellFormed();
    },
    Map: (_, { items }) => {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) throw new Problem('invalid-input', `${name} has a key that is not a plain word.`);
        const word = key.value;
        if (seen.has(word))
          throw new Problem(
            'invalid-input',
            `${at(key.range?.[0] ?? 0)}: the key "${String(word).slice(0, 100)}" is used twice.`,
          );
        seen.add(word);
      }
    },
  });
  try {
    return {
      value: document.toJS({ maxAliasCount: 0 }) as unknown,
      lineOf: (path) => {
        const node = document.getIn(path, true);
        return isNode(node) && node.range ? lines.linePos(node.range[0]).line : undefined;
      },
    };
  } catch {
    throw new Problem('invalid-input', `${name} uses YAML anchors and aliases, which are not supported.`, {
      hint: 'Write the value out where it is used.',
    });
  }
}

/**
 * Replaces the value of a key in the top-level map, and keeps the rest of the text unchanged. If the key occurs several times,
 * the last one counts. Returns the text unchanged if the key has no scalar value.
 */
export function replaceYamlValue(text: string, key: string, value: string): string {
  const { contents } = parseDocument(text, { schema: 'core', uniqueKeys: false });
  const node = isMap(contents)
    ? contents.items.findLast((item) => isScalar(item.key) && item.key.value === key)?.value
    : undefined;
  if (!isScalar(node) || !node.range) return text;
  const [from, to] = node.range;
  const plain = stringify(value, { lineWidth: 0 }).trimEnd();
  const written = plain.includes('\n') ? JSON.stringify(value) : plain;
  const lineEnd = /\r?\n$/.exec(text.slice(from, to))?.[0] ?? '';
  return text.slice(0, from) + written + lineEnd + text.slice(to);
}

function compose(text: string, name: string, lineCounter: LineCounter) {
  try {
    checkNesting(text, name);
    return parseDocument(text, {
      uniqueKeys: false,
      schema: 'core',
      lineCounter,
      prettyErrors: false,
      logLevel: 'silent',
    });
  } catch (error) {
    // The parser of `yaml` is recursive for lines such as `{a: b` without commas between them.
    throw error instanceof RangeError ? tooDeep(name) : error;
  }
}

function tooDeep(name: string): Problem {
  return new Problem('invalid-input', `${name} is nested more than ${maxDepth} levels deep.`);
}

/** Checks the depth and the number of tokens without recursion. */
function checkNesting(text: string, name: string): void {
  let nodes = 0;
  for (const token of new Parser().parse(text)) {
    const open: { readonly node: unknown; readonly depth: number }[] = [{ node: token, depth: 0 }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (!isObject(next.node)) continue;
      const { type, items, value, key } = next.node as {
        type?: string;
        items?: unknown[];
        value?: unknown;
        key?: unknown;
      };
      const depth =
        type === 'block-map' || type === 'block-seq' || type === 'flow-collection'
          ? next.depth + 1
          : next.depth;
      if (++nodes > maxNodes)
        throw new Problem('too-large', `${name} has too many values for YAML.`, {
          hint: 'Use JSON, or split the file.',
        });
      if (depth > maxDepth) throw tooDeep(name);
      for (const inner of [...(items ?? []), value, key]) open.push({ node: inner, depth });
    }
  }
}
