import { parseExpressionAt, type Expression, type SpreadElement } from 'acorn';
import { fieldsOf } from '../richtext/page-settings.ts';

/** Maximum number of matches of `start` that are tried, and of names that are looked up. */
const [maxStarts, maxNames] = [20, 200];

/**
 * Returns the list or object behind the first match of `start` in a program of JavaScript or TypeScript, including constants, and
 * functions that only return data. The program does not run; its other expressions are undefined. A spread list becomes a list in
 * the list.
 */
export function readLiteral(program: string, start: RegExp): unknown {
  const known = new Map<string, unknown>();
  const valueAt = (at: number): unknown => {
    try {
      return valueOf(parseExpressionAt(program, at, { ecmaVersion: 'latest', sourceType: 'module' }));
    } catch {
      // The program has an error or types here, or is nested too deep.
      return undefined;
    }
  };
  const valueOf = (node: Expression | SpreadElement): unknown => {
    if (node.type === 'Literal') return node.value;
    if (node.type === 'SpreadElement') return valueOf(node.argument);
    if (node.type === 'ArrayExpression')
      return node.elements.map((each) => (each === null ? undefined : valueOf(each)));
    if (node.type === 'ObjectExpression')
      return Object.fromEntries(
        node.properties.flatMap((each): (readonly [string, unknown])[] => {
          if (each.type === 'SpreadElement') return [...fieldsOf(valueOf(each))];
          const { key, value } = each;
          const name = key.type === 'Identifier' && !each.computed ? key.name : valueOf(key);
          return typeof name === 'string' ? [[name, valueOf(value)]] : [];
        }),
      );
    // The next field of an object looks like another expression.
    if (node.type === 'SequenceExpression') return node.expressions[0] && valueOf(node.expressions[0]);
    // The type of a constant looks like the target of an assignment.
    if (node.type === 'AssignmentExpression') return valueOf(node.right);
    const name = node.type === 'CallExpression' ? node.callee : node;
    return name.type === 'Identifier' ? valueOfName(name.name) : undefined;
  };
  const valueOfName = (name: string): unknown => {
    if (known.has(name) || known.size === maxNames || !/^\w+$/.test(name)) return known.get(name);
    // A constant that contains itself is undefined inside.
    known.set(name, undefined);
    const declaration = new RegExp(
      String.raw`\b(?:(?:const|let|var)\s+${name}\b[^=\n]*=|function\s+${name}\b[^{]{0,200}\{\s*return\b)`,
    ).exec(program);
    if (declaration !== null) known.set(name, valueAt(declaration.index + declaration[0].length));
    return known.get(name);
  };
  for (const match of [...program.matchAll(start)].slice(0, maxStarts)) {
    const value = valueAt(match.index + match[0].length);
    if (typeof value === 'object' && value !== null) return value;
  }
  return undefined;
}
