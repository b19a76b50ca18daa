/** A part of the program; it puts what it exports into the module. */
type Chunk = (module: { exports: unknown }, load: (id: number) => unknown) => void;
/** The chunks of one file of dist/, by their numbers. */
type Pack = Readonly<Record<number, Chunk>>;
/** The names of the packs. */
declare const __names: readonly string[];
/** For each pack, the number after that of its last chunk. */
declare const __ends: readonly number[];
/** For each pack, how many bytes of the joined file it takes; 0 if it has a file of its own. */
declare const __lengths: readonly number[];
/** A text that another build has not. */
declare const __build: string;
