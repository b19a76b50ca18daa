/** The types of the package itself would add those of browsers to all files. This is what is used of it. */
declare module '@xmldom/xmldom/lib/index.js' {
  interface XmlNode {
    readonly nodeName: string;
    readonly nodeValue: string | null;
    /** Only elements have one. */
    readonly tagName?: string;
  }
  interface XmlElementNode extends XmlNode {
    readonly localName: string;
    readonly attributes: ArrayLike<XmlNode>;
    readonly childNodes: ArrayLike<XmlNode | XmlElementNode>;
  }
  class DOMParser {
    constructor(options: {
      /** The parser writes the place to it that it has reached. */
      readonly locator: { lineNumber?: number; columnNumber?: number };
      readonly errorHandler: (level: string, message: string) => void;
    });
    parseFromString(text: string, type: string): { readonly documentElement: XmlElementNode };
  }
}
