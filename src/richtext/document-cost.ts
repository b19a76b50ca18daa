import { areRichNodes } from '../contract/rich-nodes.ts';
import { isObject, recordOf } from '../contract/values.ts';
import type { RichNode } from '../contract/shapes.ts';
import { Problem } from '../errors/problem.ts';
import { maxCost, maxDepth, tooDeep } from './guard.ts';
import { fragmentsOf } from './nodes.ts';

/** Measured costs in microseconds. `level` is the cost of one line for each block around it. */
const price = {
  node: 10,
  level: 2,
  value: 1,
  mark: 60,
  line: 40,
  lineLevel: 1.5,
  character: 0.1,
  sign: 2,
  cell: 20,
  padding: 0.05,
  columnPair: 0.02,
};

/** The cost of writing a part, and the approximate number of its characters. */
interface Weight {
  readonly cost: number;
  readonly size: number;
}

/**
 * Refuses a document that is not valid, too deep or too expensive, before it is written.
 *
 * @throws Problem(invalid-input) for more than 200 levels or something that is not a node, Problem(too-large) for its cost
 */
export function checkDocument(nodes: readonly RichNode[]): void {
  if (!areRichNodes(nodes))
    throw new Problem('invalid-input', 'The document contains a value that is not a valid node.');
  checkDepth(nodes);
  if (documentCost(nodes) <= maxCost) return;
  throw new Problem(
    'too-large',
    'The document is too complex to convert to Markdown: it has too many blocks, table cells or marked words.',
    { hint: 'Split it into several pages.' },
  );
}

/** Estimates the time to write a document as Markdown, in microseconds. */
export function documentCost(nodes: readonly RichNode[]): number {
  return sumOf(nodes.map((node) => nodeWeight(node, 0))).cost;
}

/** Checks the depth without recursion. */
function checkDepth(nodes: readonly RichNode[]): void {
  const open = nodes.map((node) => ({ node, depth: 1 }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, depth } = next;
    if (depth > 2 * maxDepth) throw tooDeep();
    for (const child of [...(node.nodes ?? []), ...fragmentsOf(node)])
      open.push({ node: child, depth: depth + 1 });
  }
}

function nodeWeight(node: RichNode, depth: number): Weight {
  const texts = valuesWeight([node.data, node['leaves'] ?? node['text']], depth);
  const inner = sumOf((node.nodes ?? []).map((child) => nodeWeight(child, depth + 1)));
  const fragments = fragmentsOf(node).map((each) => nodeWeight(each, depth + 1));
  const cells = node.type === 'table' ? tableCost(node, fragments, depth) : 0;
  return sumOf([texts, inner, ...fragments, { cost: price.node + price.level * depth + cells, size: 0 }]);
}

/**
 * Returns the cost of the cells of a table. Several cells can share their content, and the cells of a column are padded to the
 * same width.
 */
function tableCost(node: RichNode, fragments: readonly Weight[], depth: number): number {
  const { view, definition, records } = recordOf(node.data);
  const shown = recordOf(view)['columns'];
  const columns = (Array.isArray(shown) ? shown.length : 0) + Object.keys(recordOf(definition)).length;
  const rows = Object.values(recordOf(records)).map((record) =>
    Object.entries(recordOf(recordOf(record)['values'])),
  );
  const named = new Map(fragmentsOf(node).map((each, index) => [each['fragment'], fragments[index]]));
  const widths = new Map<string, number>();
  let contents = 0;
  for (const [id, value] of rows.flat()) {
    const { cost, size } = named.get(value) ?? valuesWeight([value], 0);
    contents += cost;
    widths.set(id, Math.max(widths.get(id) ?? 0, size));
  }
  // A view can show a column several times.
  const times = Array.isArray(shown) ? 1 + shown.length - new Set(shown).size : 1;
  const width = [...widths.values()].reduce((sum, each) => sum + each, valuesWeight([definition], 0).size);
  const eachRow =
    price.line +
    price.lineLevel * depth +
    columns * price.cell +
    times * width * price.padding * (1 + depth / 10);
  return times * contents + (rows.length + 1) * eachRow + price.columnPair * columns ** 2;
}

/** Returns the cost of strings, names and marks at any depth of the values. */
function valuesWeight(values: readonly unknown[], depth: number): Weight {
  let cost = 0;
  let size = 0;
  const open = [...values];
  for (let value = open.pop(); open.length > 0 || value !== undefined; value = open.pop()) {
    if (typeof value === 'string') {
      const signs = value.match(/[!-/:-@[-`{-~]/g)?.length ?? 0;
      const lines = value.match(/[\r\n]/g)?.length ?? 0;
      cost +=
        price.character * value.length * (1 + depth / 7) +
        price.sign * signs +
        lines * (price.line + price.lineLevel * depth);
      size += value.length + signs;
    } else if (isObject(value)) {
      cost += Array.isArray(value) ? 0 : price.node;
      for (const [name, each] of Object.entries(value)) {
        cost += price.value + (name === 'marks' && Array.isArray(each) ? each.length * price.mark : 0);
        size += name.length;
        open.push(each);
      }
    }
  }
  return { cost, size };
}

function sumOf(weights: readonly Weight[]): Weight {
  let [cost, size] = [0, 0];
  for (const weight of weights) {
    cost += weight.cost;
    size += weight.size;
  }
  return { cost, size };
}
