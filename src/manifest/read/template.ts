/** A piece of a text with `${var.x}` and `${env.X}` in it. */
export type Piece =
  | { readonly text: string }
  | { readonly scope: 'var' | 'env'; readonly name: string; readonly index: number }
  | { readonly fault: string; readonly index: number };

/** Splits a text at its variables; `$${` stands for a plain `${`. */
export function parseTemplate(text: string): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  let plain = '';
  for (const match of text.matchAll(/\$\$\{|\$\{([^}]*)(\}?)/g)) {
    const { 0: whole, 1: inside, 2: end, index } = match;
    plain += text.slice(from, index);
    from = index + whole.length;
    if (inside === undefined) {
      plain += '${';
      continue;
    }
    const isShort = inside.length <= 300;
    const [, scope, name] = (isShort && /^\s*(var|env)\.([A-Za-z_][\w-]*)\s*$/.exec(inside)) || [];
    if (end === '' || name === undefined) {
      const fault =
        end === ''
          ? '"${" is not closed with "}"'
          : `"\${${inside.slice(0, 40)}}" is not a variable; write \${var.NAME} or \${env.NAME}`;
      return [{ fault: `${fault}; for a plain "\${" write "$\${"`, index }];
    }
    if (plain !== '') pieces.push({ text: plain });
    plain = '';
    pieces.push({ scope: scope as 'var' | 'env', name, index });
  }
  plain += text.slice(from);
  if (plain !== '' || pieces.length === 0) pieces.push({ text: plain });
  return pieces;
}

/** Escapes a text so that a manifest reads it back unchanged. */
export function escapeTemplate(text: string): string {
  return text.replaceAll('${', () => '$${');
}
