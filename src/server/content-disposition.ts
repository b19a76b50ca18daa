/** Pictures that hold nothing but pixels; SVG can hold a script. */
const inlineImageTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']);

/** The header that names a file: exactly in `filename*` (RFC 6266, RFC 8187), for old clients as plain ASCII without path parts. */
export function contentDisposition(name: string, contentType: string): string {
  const kind = inlineImageTypes.has(contentType.split(';', 1)[0]!.trim().toLowerCase())
    ? 'inline'
    : 'attachment';
  const plain = name
    .slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
    .replace(/[^ !#$&'()+,.\w-]/gu, '_');
  // encodeURIComponent leaves these four, which RFC 8187 does not allow.
  const exact = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${plain}"; filename*=UTF-8''${exact}`;
}
