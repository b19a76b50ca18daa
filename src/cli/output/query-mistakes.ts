import { joinOr } from '../../contract/values.ts';
import { nearest } from '../../contract/nearest.ts';

interface Mistake {
  readonly what: string;
  /** Whether the mistake names its position itself. */
  readonly hasPlace?: true;
  /** The next step, as a sentence. */
  readonly next?: string;
}

const functions =
  'abs avg ceil contains ends_with floor join keys length map max max_by merge min min_by not_null reverse sort sort_by starts_with sum to_array to_number to_string type values';

/** Describes an error in a JMESPath expression at a position in plain words, from the message of the package. */
export function describeQueryMistake(message: string, expression: string, at: number): Mistake {
  const rest = expression.slice(at);
  const [token = ''] = /^(?:[\w]+|&&|\|\||[=!<>]=|.)/.exec(rest) ?? [];
  if (message === 'it ends too early') return describeEnd(expression);
  if (/^=(?!=)/.test(rest)) return { what: 'a single "="', next: "Write == to compare: title=='Guide'." };
  const isFilter = /\[\?[^\]]*$/.test(expression.slice(0, at));
  if (/^(?:and|or|not)\b/i.test(rest) && isFilter)
    return {
      what: `the word "${token}"`,
      next: "Write && for and, || for or, and ! for not: a=='x' && b=='y'.",
    };
  if (message.includes('Number') && /^-?\d/.test(rest))
    return {
      what: `the number ${token}`,
      next: 'Write numbers between backticks, and the query between single quotes: items[?comments > `1`].',
    };
  if (/^[.$]/.test(rest) && at === 0)
    return { what: `"${token}"`, next: 'A query begins with a field, without "$" or a dot: items[].title.' };
  if (token === ',')
    return {
      what: '","',
      next: 'Put several fields into brackets: items[].[title, id], or items[].{title: title, id: id}.',
    };
  if (message.startsWith('Expected Colon'))
    return {
      what: 'a name without a value',
      next: 'Each name between braces has a value: items[].{title: title}.',
    };
  if (/^Expect\w+ an identifier token/.test(message))
    return {
      what: token === '' ? 'a missing name' : `"${token}", where a name is expected`,
      next: 'Write names without single quotes: items[].{name: title}.',
    };
  if (message.startsWith('Expected Star, got'))
    return { what: `"${token}"`, next: 'A filter begins with "[?": items[?title==\'Guide\'].' };
  if (message === 'something is missing') return { what: 'something is missing' };
  return { what: token.trim() === '' ? 'something is missing' : `"${token}" is not expected` };
}

/** Describes which bracket or quote is not closed at the end of an expression. */
function describeEnd(expression: string): Mistake {
  const open: { sign: string; at: number }[] = [];
  for (let at = 0; at < expression.length; at++) {
    const sign = expression[at] ?? '';
    if (/['"`]/.test(sign)) {
      const end = closingQuote(expression, at);
      if (end === -1)
        return { what: `the quote ${sign} at position ${at + 1} is never closed`, hasPlace: true };
      at = end;
    } else if (/[[({]/.test(sign)) open.push({ sign, at });
    else if (/[\])}]/.test(sign)) open.pop();
  }
  const last = open.at(-1);
  return last === undefined
    ? { what: 'it ends too early' }
    : { what: `the "${last.sign}" at position ${last.at + 1} is never closed`, hasPlace: true };
}

function closingQuote(expression: string, start: number): number {
  for (let at = start + 1; at < expression.length; at++) {
    if (expression[at] === '\\') at++;
    else if (expression[at] === expression[start]) return at;
  }
  return -1;
}

const typeWords: Readonly<Record<string, string>> = {
  null: 'nothing',
  string: 'a text',
  array: 'a list',
  object: 'an object',
  number: 'a number',
  boolean: 'true or false',
  'Array<string>': 'a list of texts',
  'Array<number>': 'a list of numbers',
};

/** Describes in plain words why an expression does not fit a result. */
export function describeUnfit(message: string): Mistake {
  const [, name] = /^Unknown function: (\w+)/.exec(message) ?? [];
  if (name !== undefined) {
    const known = functions.split(' ');
    const [likely] = nearest(name, known);
    return {
      what: `there is no function ${name}()`,
      next: likely === undefined ? `Functions: ${known.join(', ')}.` : `Did you mean ${likely}()?`,
    };
  }
  const [, of, position, wanted, given] =
    /^(\w+\(\)) expected argument (\d+) to be type (\S+) but received type (\S+) instead/.exec(message) ?? [];
  if (of === undefined || wanted === undefined || given === undefined) return { what: message };
  const word = (type: string) => typeWords[type] ?? type;
  return {
    what: `argument ${position} of ${of} is ${word(given)}, and must be ${joinOr(wanted.split(',').map(word))}`,
    next:
      given === 'null'
        ? 'No field has this name. Look at the names with -o json.'
        : 'Look at the result with -o json first.',
  };
}
