import path from 'path';
import { isNativeCompiler } from '../next-compiler.ts';
import { nodeError, type NodeError } from '../runtime/errors.ts';
import { resolveExports, resolveImports } from './exports-map.ts';
import { parent, pathOfUrl, type LoaderFiles } from './files.ts';

const EXTENSIONS = ['.js', '.json', '.cjs', '.mjs', '.ts', '.tsx', '.jsx', '.mts', '.cts'];
/** Source extensions for each compiled extension. */
const SOURCES: Record<string, string[]> = {
	'.js': ['.ts', '.tsx', '.jsx'],
	'.mjs': ['.mts'],
	'.cjs': ['.cts'],
	'.jsx': ['.tsx']
};

/** Finds the file of a `require` or an `import`, as Node does. */
export class Resolver {
	/** Last search paths for a bare name: `NODE_PATH`, then below the home directory. CommonJS only. */
	globalPaths: string[] = [];
	/** Aliases of the project, see `Replacements`. */
	rename: ((specifier: string, from: string) => string[]) | null = null;
	readonly #conditions: { require: Set<string>; import: Set<string> };

	constructor(
		readonly files: LoaderFiles,
		readonly isBuiltin: (name: string) => boolean,
		readonly isPrefixedBuiltin: (name: string) => boolean,
		conditions: readonly string[] = []
	) {
		this.#conditions = {
			require: new Set(['node', 'require', 'module-sync', ...conditions]),
			import: new Set(['node', 'import', 'module-sync', ...conditions])
		};
	}

	/**
	 * @param from absolute path of the importing file
	 * @returns an absolute real path, or `node:` and a name
	 */
	resolve(specifier: string, from: string, kind: 'require' | 'import', stack: string[] = [from]): string {
		const builtin = this.builtin(specifier);
		if (builtin) return builtin;
		const found = this.#renamed(specifier, from, kind) ?? this.#find(specifier, from, kind);
		if (found?.startsWith('node:')) return found;
		if (found) return this.files.realpath(found);
		throw kind === 'require' ? this.#requireError(specifier, stack) : this.#importError(specifier, from);
	}

	#renamed(specifier: string, from: string, kind: 'require' | 'import'): string | null {
		for (const name of this.rename?.(specifier, from) ?? []) {
			const found = this.builtin(name) ?? this.#find(name, from, kind);
			if (found) return found;
		}
		return null;
	}

	builtin(specifier: string): string | null {
		if (!specifier.startsWith('node:')) return this.isBuiltin(specifier) ? `node:${specifier}` : null;
		if (this.isPrefixedBuiltin(specifier.slice(5))) return specifier;
		throw nodeError(Error, 'ERR_UNKNOWN_BUILTIN_MODULE', `No such built-in module: ${specifier}`);
	}

	/** Directories in which a bare name is searched. */
	modulePaths(from: string): string[] {
		const paths: string[] = [];
		for (let at = from; ; at = parent(at)) {
			if (!at.endsWith('/node_modules')) paths.push(`${at === '/' ? '' : at}/node_modules`);
			if (at === '/') return paths;
		}
	}

	#find(specifier: string, from: string, kind: 'require' | 'import'): string | null {
		if (kind === 'import' && specifier.startsWith('file:')) {
			return this.file(pathOfUrl(specifier));
		}
		if (/^(\.{1,2}(\/|$)|\/)/.test(specifier)) {
			const target = path.resolve(parent(from), kind === 'import' ? withoutQuery(specifier) : specifier);
			return this.findBelow(target, specifier.endsWith('/'));
		}
		if (specifier.startsWith('#')) {
			const target = resolveImports(this.files.packageOf(from), specifier, this.#conditions[kind], from);
			return target.startsWith('/') ? this.file(target) : (this.builtin(target) ?? this.#find(target, from, kind));
		}
		return this.#package(specifier, from, kind);
	}

	#package(specifier: string, from: string, kind: 'require' | 'import'): string | null {
		const parts = specifier.split('/');
		const name = specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? '');
		const subpath = `.${specifier.slice(name.length)}`;
		const own = this.files.packageOf(from);
		if (own?.name === name && own.exports !== undefined && own.exports !== null) {
			return this.file(resolveExports(own, subpath, this.#conditions[kind]));
		}
		const last = kind === 'require' ? this.globalPaths : [];
		for (const modules of [...this.modulePaths(parent(from)), ...last]) {
			const directory = `${modules}/${name}`;
			const pkg = this.files.isDirectory(directory) ? this.files.packageIn(directory) : null;
			if (pkg?.exports !== undefined && pkg.exports !== null) {
				return this.file(resolveExports(pkg, subpath, this.#conditions[kind]));
			}
			const target = path.resolve(modules, specifier);
			// `name/` is the package's directory, even if a module of Node has that name.
			const isDirectory = specifier.endsWith('/') || (subpath === '.' && !pkg);
			const found = (isDirectory ? null : this.file(target)) ?? this.#directory(target) ?? this.file(target);
			if (found) return found;
		}
		return null;
	}

	/** Finds a file by its name, without its extension, or by its name after compilation. */
	file(target: string): string | null {
		if (this.files.isFile(target)) return target;
		for (const extension of EXTENSIONS) {
			if (this.files.isFile(target + extension)) return target + extension;
		}
		const extension = path.extname(target);
		for (const source of SOURCES[extension] ?? []) {
			const candidate = target.slice(0, -extension.length) + source;
			if (this.files.isFile(candidate)) return candidate;
		}
		return null;
	}

	/** Finds the file or the entry of the directory at an absolute path, adding an extension if needed. */
	findBelow(target: string, isDirectory = false): string | null {
		return (isDirectory ? null : this.file(target)) ?? this.#directory(target);
	}

	#directory(target: string): string | null {
		if (!this.files.isDirectory(target)) return null;
		const main = this.files.packageIn(target)?.main;
		if (main) {
			const entry = path.resolve(target, main);
			const found = this.file(entry) ?? (this.files.isDirectory(entry) ? this.file(`${entry}/index`) : null);
			if (found) return found;
		}
		return this.file(`${target === '/' ? '' : target}/index`);
	}

	#requireError(specifier: string, stack: string[]): NodeError {
		if (isNativeCompiler(specifier)) {
			return nodeError(Error, 'ERR_DLOPEN_FAILED', `${specifier} is native code, which cannot run in a browser tab.`);
		}
		const list = stack.length > 0 ? `\nRequire stack:\n${stack.map((file) => `- ${file}`).join('\n')}` : '';
		const error: NodeError = new Error(`Cannot find module '${specifier}'${list}`);
		return Object.assign(error, { code: 'MODULE_NOT_FOUND', requireStack: stack });
	}

	#importError(specifier: string, from: string): NodeError {
		const bare = !/^(\.{0,2}\/|file:)/.test(specifier);
		const what = bare ? `package '${specifier}'` : `module '${path.resolve(parent(from), specifier)}'`;
		const message = `Cannot find ${what} imported from ${from}${this.#suggestion(specifier, from, bare)}`;
		return nodeError(Error, 'ERR_MODULE_NOT_FOUND', message);
	}

	/** Finds a similar name in the same directory, as Node suggests extensions. */
	#suggestion(specifier: string, from: string, bare: boolean): string {
		if (bare) return '';
		const target = path.resolve(parent(from), specifier);
		const wanted = path.basename(target).toLowerCase();
		const near = this.files
			.list(parent(target))
			.find((name) => name.toLowerCase() === wanted || path.parse(name).name.toLowerCase() === path.parse(wanted).name);
		if (!near) return '';
		return `\nDid you mean to import "${path.posix.join(path.dirname(specifier), near).replace(/^(?!\.)/, './')}"?`;
	}
}

function withoutQuery(specifier: string): string {
	return decodeURIComponent(specifier.replace(/[?#].*$/s, ''));
}
