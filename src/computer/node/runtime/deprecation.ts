interface Warns {
	emitWarning(...given: unknown[]): void;
}

const warned = new WeakMap<Warns, Set<string>>();

/** Warns about a deprecated feature, once per program. */
export function deprecateOnce(process: Warns, words: string, code: string): void {
	const codes = warned.get(process) ?? new Set();
	warned.set(process, codes);
	if (codes.has(code)) return;
	codes.add(code);
	process.emitWarning(words, 'DeprecationWarning', code);
}
