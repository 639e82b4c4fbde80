import type ts from 'typescript';
import type { CompilerHost } from './compiler.ts';

/** A `tsconfig.json` as the compiler reads it. */
export interface Configuration {
	path: string;
	parsed: ts.ParsedCommandLine;
	files: ReadonlySet<string>;
}

/** Codes that only report that a configuration includes no files: its references may include them. */
const NO_FILES = new Set([18_002, 18_003]);
const MOST_REFERENCES = 30;

/** Finds the configuration that a file belongs to, as an editor does. */
export class Configurations {
	readonly #known = new Map<string, Configuration | null>();

	constructor(private readonly host: CompilerHost) {}

	/** Discards what has been read. */
	forget(): void {
		this.#known.clear();
	}

	/**
	 * Nearest configuration above `path` that includes it, itself or through its references. `null` if none can be read
	 * completely: then nothing is known about the file's types.
	 */
	of(path: string): Configuration | null {
		const { system, root } = this.host;
		for (let directory = parent(path); ; directory = parent(directory)) {
			for (const name of ['tsconfig.json', 'jsconfig.json']) {
				const file = `${directory === '/' ? '' : directory}/${name}`;
				if (!system.fileExists(file)) continue;
				const found = this.#including(file, path, new Set());
				if (found) return found;
				break;
			}
			if (directory === root || directory === '/') return null;
		}
	}

	/** Reads a configuration by path; `null` if it cannot be read completely. */
	read(path: string): Configuration | null {
		const known = this.#known.get(path);
		if (known !== undefined) return known;
		const read = this.#parse(path);
		this.#known.set(path, read);
		return read;
	}

	#including(config: string, path: string, seen: Set<string>): Configuration | null {
		if (seen.has(config) || seen.size > MOST_REFERENCES) return null;
		seen.add(config);
		const configuration = this.read(config);
		if (!configuration || configuration.files.has(path)) return configuration;
		for (const reference of configuration.parsed.projectReferences ?? []) {
			const target = this.host.compiler.resolveProjectReferencePath(reference);
			const found = this.#including(target, path, seen);
			if (found) return found;
		}
		return null;
	}

	#parse(path: string): Configuration | null {
		const { compiler, system } = this.host;
		const config = compiler.readConfigFile(path, system.readFile.bind(system));
		if (config.error) return null;
		const parsed = compiler.parseJsonConfigFileContent(config.config, system, parent(path), undefined, path);
		// If the configuration it extends is missing, its options are not the intended ones.
		if (parsed.errors.some(({ code }) => !NO_FILES.has(code))) return null;
		return { path, parsed, files: new Set(parsed.fileNames) };
	}
}

export function parent(path: string): string {
	return path.slice(0, path.lastIndexOf('/')) || '/';
}
