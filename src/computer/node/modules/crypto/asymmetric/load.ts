import source from './part/part.ts?part';

type Part = typeof import('./part/part.ts');

let part: Part | null = null;

/** The curves, the numbers of RSA and the encodings of keys: evaluated when the first key of a pair is there. */
export function asymmetric(): Part {
	// The part is this build's own, typed by the module it was made from.
	return (part ??= new Function(source)() as Part);
}
