/** A part of the program; it puts what it exports into the module. */
type Chunk = (module: { exports: unknown }, load: (id: number) => unknown) => void;
/** The chunks of one file of dist/, by their numbers. */
type Pack = Readonly<Record<number, Chunk>>;
/** The chunks that lie in main.js itself. */
declare const __chunks: Pack;
/** The name of the pack that each chunk is in. */
declare const __packOf: readonly string[];
/** A text that another build has not. */
declare const __build: string;
