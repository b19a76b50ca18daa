/** A piece of a text with `${var.x}` and `${env.X}` in it. */
export type Piece =
  | { readonly text: string }
  | { readonly scope: 'var' | 'env'; readonly name: string; readonly index: number }
  | { readonly fault: string; readonly index: number };

/** Takes a text apart at its variables; `$${` stands for a plain `${`. */
export function parseTemplate(text: string): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  let plain = '';
  for (let at = text.indexOf('${'); at !== -1; at = text.indexOf('${', from)) {
    if (text[at - 1] === '$' && at > from) {
      plain += text.slice(from, at - 1) + '${';
      from = at + 2;
      continue;
    }
    plain += text.slice(from, at);
    const end = text.indexOf('}', at);
    const inside = end === -1 ? '' : text.slice(at + 2, end);
    const parts = inside.length > 300 ? null : /^\s*(var|env)\.([A-Za-z_][\w-]*)\s*$/.exec(inside);
    if (parts === null) {
      const fault =
        end === -1
          ? '"${" is not closed with "}"'
          : `"\${${inside.slice(0, 40)}}" is no variable: write \${var.NAME} or \${env.NAME}`;
      return [{ fault: `${fault}; for a plain "\${" write "$\${"`, index: at }];
    }
    if (plain !== '') pieces.push({ text: plain });
    plain = '';
    pieces.push({ scope: parts[1] as 'var' | 'env', name: parts[2]!, index: at });
    from = end + 1;
  }
  plain += text.slice(from);
  if (plain !== '' || pieces.length === 0) pieces.push({ text: plain });
  return pieces;
}

/** Names of the `${var.x}` in a text. */
export function variablesIn(text: string): string[] {
  if (!text.includes('${')) return [];
  return [
    ...new Set(
      parseTemplate(text).flatMap((piece) => ('scope' in piece && piece.scope === 'var' ? [piece.name] : [])),
    ),
  ];
}

/** A text as it is written in a manifest so that it reads back as it is. */
export function escapeTemplate(text: string): string {
  return text.replaceAll('${', () => '$${');
}
