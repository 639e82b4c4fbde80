import source from './part/part.ts?part';

type Part = typeof import('./part/part.ts');

let part: Part | null = null;

/** Loads curves, RSA and encodings of keys: evaluated on the first use of an asymmetric key. */
export function asymmetric(): Part {
	// The part is from this build, typed by the module it was built from.
	return (part ??= new Function(source)() as Part);
}
