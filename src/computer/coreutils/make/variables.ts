/** Origin of a value, as in `$(origin)`. */
export type Origin = 'default' | 'environment' | 'file' | 'command line' | 'override' | 'automatic';

export interface MakeVariable {
	value: string;
	/** Expanded each time it is used; otherwise once, when it was set. */
	recursive: boolean;
	origin: Origin;
}

/** The variables of a makefile, or of one target over those of the file. */
export class MakeVariables {
	readonly #own = new Map<string, MakeVariable>();
	/** Variables that recipes must or must not get in their environment. */
	readonly exported = new Map<string, boolean>();
	exportsAll = false;

	constructor(private readonly outer: MakeVariables | null = null) {}

	find(name: string): MakeVariable | undefined {
		return this.#own.get(name) ?? this.outer?.find(name);
	}

	/** Sets it, unless the existing value has precedence: the command line over the file. */
	set(name: string, variable: MakeVariable): void {
		const before = this.find(name)?.origin;
		if (before === 'command line' && !['command line', 'override', 'automatic'].includes(variable.origin)) return;
		this.#own.set(name, variable);
	}

	unset(name: string): void {
		this.#own.delete(name);
	}

	names(): string[] {
		return [...new Set([...(this.outer?.names() ?? []), ...this.#own.keys()])];
	}

	/** Returns true if recipes see it: from the environment or the command line, or exported. */
	isExported(name: string): boolean {
		const fromMakefile = this.exported.get(name) ?? this.outer?.exported.get(name);
		if (fromMakefile !== undefined) return fromMakefile;
		const origin = this.find(name)?.origin;
		if (origin === 'environment' || origin === 'command line') return /^\w+$/.test(name);
		return (this.exportsAll || this.outer?.exportsAll === true) && origin === 'file' && /^\w+$/.test(name);
	}
}
