/** The anchor of an operation on a page: its method and path in lower case, with hyphens between the words (`get-pets-id`). */
export function operationAnchor(method: string, path: string): string {
  return `${method} ${path}`
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
}
