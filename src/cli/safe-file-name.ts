const longest = 255;
/** What is invisible or reorders a line, what a path is made of, and what Windows does not take. */
const unsafe = /[\p{C}\p{Zl}\p{Zp}<>:"|?*]/gu;

/** A name that somebody else gave, as one that a file may have in any folder: no path, no hidden file, nothing a terminal obeys. */
export function safeFileName(name: string): string {
  const last = name.split(/[/\\]/).at(-1)!.replace(unsafe, '_').trim();
  const visible = last.replace(/^[.-]+/, '_').replace(/[. ]+$/, '');
  if (/^_*$/.test(visible)) return 'file';
  return shorten(/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(visible) ? `_${visible}` : visible);
}

/** Cuts a name to the bytes that file systems take, keeping its ending. */
function shorten(name: string): string {
  if (Buffer.byteLength(name) <= longest) return name;
  const ending = /\.\w{1,10}$/.exec(name)?.[0] ?? '';
  let kept = '';
  let size = ending.length;
  for (const character of name.slice(0, name.length - ending.length)) {
    size += Buffer.byteLength(character);
    if (size > longest) break;
    kept += character;
  }
  return kept + ending;
}
