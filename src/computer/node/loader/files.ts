import { encodePath } from '../modules/file-url.ts';
import { isSpecialKind } from '#computer/abi/special-files.ts';
import type { ProcessContext } from '#computer/process/program.ts';
import type { WireDirent, WireStat } from '#computer/abi/syscalls.ts';

export interface PackageJson {
	directory: string;
	name?: string;
	type?: string;
	main?: string;
	exports?: unknown;
	imports?: unknown;
}

const text = new TextDecoder();

/** Cache of file queries for the loader, valid until the volume changes. */
export class LoaderFiles {
	readonly #context: ProcessContext;
	readonly #stats = new Map<string, WireStat | null>();
	readonly #entries = new Map<string, Map<string, WireDirent['kind']> | null>();
	readonly #realPaths = new Map<string, string>();
	readonly #packages = new Map<string, PackageJson | null>();
	readonly #report: (path: string) => void;
	#generation = -1;

	/** @param report called with the path of each file that was read */
	constructor(context: ProcessContext, report: (path: string) => void = () => {}) {
		this.#context = context;
		this.#report = report;
	}

	kind(path: string): 'file' | 'directory' | null {
		this.#refresh();
		if (path === '/') return 'directory';
		const entry = this.#entriesOf(parent(path))?.get(path.slice(path.lastIndexOf('/') + 1));
		if (isSpecialKind(entry)) return null;
		if (entry !== 'symlink') return entry ?? null;
		let stat = this.#stats.get(path);
		if (stat === undefined) {
			stat = this.#context.sync.statOrNull(path);
			this.#stats.set(path, stat);
		}
		return stat?.kind === 'file' || stat?.kind === 'directory' ? stat.kind : null;
	}

	isFile(path: string): boolean {
		return this.kind(path) === 'file';
	}

	isDirectory(path: string): boolean {
		return this.kind(path) === 'directory';
	}

	read(path: string): string {
		this.#report(path);
		const source = text.decode(this.#context.sync.readFile(path));
		return source.charCodeAt(0) === 0xfeff ? source.slice(1) : source;
	}

	realpath(path: string): string {
		this.#refresh();
		if (path === '/') return path;
		const known = this.#realPaths.get(path);
		if (known !== undefined) return known;
		const name = path.slice(path.lastIndexOf('/') + 1);
		const isPlain = this.#entriesOf(parent(path))?.get(name) !== 'symlink';
		const directory = isPlain ? this.realpath(parent(path)) : '';
		const real = isPlain ? `${directory === '/' ? '' : directory}/${name}` : this.#context.sync.realpath(path);
		this.#realPaths.set(path, real);
		return real;
	}

	list(directory: string): string[] {
		this.#refresh();
		return [...(this.#entriesOf(directory)?.keys() ?? [])];
	}

	/** Reads a whole directory in one call: loaders query many files that do not exist. */
	#entriesOf(directory: string): Map<string, WireDirent['kind']> | null {
		const known = this.#entries.get(directory);
		if (known !== undefined) return known;
		const found =
			this.kind(directory) === 'directory'
				? new Map(this.#context.sync.readdir(directory).map(({ name, kind }) => [name, kind]))
				: null;
		this.#entries.set(directory, found);
		return found;
	}

	/** `package.json` in exactly this directory. Throws if it is not JSON. */
	packageIn(directory: string): PackageJson | null {
		this.#refresh();
		let found = this.#packages.get(directory);
		if (found === undefined) {
			const path = `${directory === '/' ? '' : directory}/package.json`;
			found = this.isFile(path) ? parsePackage(this.read(path), path, directory) : null;
			this.#packages.set(directory, found);
		}
		return found;
	}

	/** Nearest `package.json` at or above a file, up to a `node_modules`. */
	packageOf(file: string): PackageJson | null {
		for (let at = parent(file); ; at = parent(at)) {
			if (!at.endsWith('/node_modules')) {
				const found = this.packageIn(at);
				if (found) return found;
			}
			if (at === '/') return null;
		}
	}

	#refresh(): void {
		const generation = this.#context.generation();
		if (generation === this.#generation) return;
		this.#generation = generation;
		this.#stats.clear();
		this.#entries.clear();
		this.#realPaths.clear();
		this.#packages.clear();
	}
}

/** Converts an absolute path to a URL; anything else is returned unchanged. */
export function fileUrl(file: string): string {
	return file.startsWith('/') ? `file://${encodePath(file)}` : file;
}

/** Converts a `file:` URL to a path; anything else is returned unchanged. */
export function pathOfUrl(url: string): string {
	return url.startsWith('file:') ? decodeURIComponent(new URL(url).pathname) : url;
}

export function parent(path: string): string {
	const at = path.lastIndexOf('/');
	return at <= 0 ? '/' : path.slice(0, at);
}

function parsePackage(source: string, path: string, directory: string): PackageJson {
	let json: unknown;
	try {
		json = JSON.parse(source);
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		throw Object.assign(new Error(`Invalid package config ${path}. ${reason}`), { code: 'ERR_INVALID_PACKAGE_CONFIG' });
	}
	if (typeof json !== 'object' || json === null) return { directory };
	const field = (name: string) => {
		const value: unknown = Reflect.get(json, name);
		return typeof value === 'string' ? value : undefined;
	};
	return {
		directory,
		name: field('name'),
		type: field('type'),
		main: field('main'),
		exports: Reflect.get(json, 'exports'),
		imports: Reflect.get(json, 'imports')
	};
}
