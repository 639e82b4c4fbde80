import source from './part.ts?part';

type Part = typeof import('./part.ts');

let part: Part | null = null;

/** Loads the parser of JavaScript: evaluated for the first statement that needs it. */
export function syntax(): Part {
	// The part is from this build, typed by the module it was built from.
	return (part ??= new Function(source)() as Part);
}
