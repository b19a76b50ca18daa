/** Content-Type headers of answers. */
export const html = { 'content-type': 'text/html; charset=utf-8' };
export const plain = { 'content-type': 'text/plain; charset=utf-8' };
export const markdown = { 'content-type': 'text/markdown; charset=utf-8' };
export const xml = { 'content-type': 'application/xml; charset=utf-8' };
export const json = { 'content-type': 'application/json; charset=utf-8' };
