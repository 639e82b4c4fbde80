import path from 'path';
import { parent, type LoaderFiles } from './files.ts';

/** `paths` of a `tsconfig.json`, and the directory they are relative to. */
interface Paths {
	base: string;
	patterns: [pattern: string, targets: string[]][];
	/** Set by `baseUrl`: any bare name may be below it. */
	hasBaseUrl: boolean;
}

const NONE: Paths = { base: '/', patterns: [], hasBaseUrl: false };
/** Maximum length of an `extends` chain. */
const MOST_EXTENDED = 10;

/**
 * Resolves names using `paths` and `baseUrl` of TypeScript's configuration, like tsx and bundlers.
 * @param file a configuration; by default the nearest `tsconfig.json` or `jsconfig.json` above the importer
 */
export function tsconfigPaths(files: LoaderFiles, file: string | null): (specifier: string, from: string) => string[] {
	const known = new Map<string, Paths>();
	const read = (config: string): Paths => {
		const made = known.get(config) ?? readPaths(files, config, 0);
		known.set(config, made);
		return made;
	};
	return (specifier, from) => {
		if (/^(\.{1,2}(\/|$)|\/|#|node:|file:|data:)/.test(specifier) || from.includes('/node_modules/')) return [];
		const config = file ?? nearest(files, from);
		return config === null ? [] : candidates(read(config), specifier);
	};
}

function nearest(files: LoaderFiles, from: string): string | null {
	for (let at = parent(from); ; at = parent(at)) {
		for (const name of ['tsconfig.json', 'jsconfig.json']) {
			const config = `${at === '/' ? '' : at}/${name}`;
			if (files.isFile(config)) return config;
		}
		if (at === '/') return null;
	}
}

function candidates({ base, patterns, hasBaseUrl }: Paths, specifier: string): string[] {
	const found = patterns
		.flatMap(([pattern, targets]) => {
			const [before = '', after] = pattern.split('*');
			if (after === undefined) return pattern === specifier ? [{ length: Infinity, star: '', targets }] : [];
			const fits = specifier.startsWith(before) && specifier.endsWith(after) && specifier.length >= pattern.length - 1;
			const star = specifier.slice(before.length, specifier.length - after.length);
			return fits ? [{ length: before.length, star, targets }] : [];
		})
		.sort((a, b) => b.length - a.length)[0];
	const mapped = found?.targets.map((target) => path.resolve(base, target.replace('*', found.star))) ?? [];
	return hasBaseUrl ? [...mapped, path.resolve(base, specifier)] : mapped;
}

function readPaths(files: LoaderFiles, config: string, depth: number): Paths {
	if (depth > MOST_EXTENDED || !files.isFile(config)) return NONE;
	const json = parseJsonc(files.read(config));
	const own: unknown = Reflect.get(Object(json), 'compilerOptions');
	const baseUrl: unknown = Reflect.get(Object(own), 'baseUrl');
	const paths: unknown = Reflect.get(Object(own), 'paths');
	const extended = [Reflect.get(Object(json), 'extends') as unknown]
		.flat()
		.filter((name) => typeof name === 'string')
		.map((name) => readPaths(files, extendedFile(files, name, config), depth + 1))
		.findLast((given) => given !== NONE);
	const references: unknown = Reflect.get(Object(json), 'references');
	const inherited =
		extended ?? (paths === undefined && baseUrl === undefined ? referred(files, references, config, depth) : NONE);
	const base = typeof baseUrl === 'string' ? path.resolve(parent(config), baseUrl) : null;
	if (typeof paths !== 'object' || paths === null) {
		return base === null ? inherited : { base, patterns: inherited.patterns, hasBaseUrl: true };
	}
	const patterns = Object.entries(paths).flatMap(([pattern, targets]): Paths['patterns'] =>
		Array.isArray(targets) ? [[pattern, targets.filter((target) => typeof target === 'string')]] : []
	);
	return { base: base ?? parent(config), patterns, hasBaseUrl: base !== null || inherited.hasBaseUrl };
}

/** The configuration in Vite's templates only refers to others. */
function referred(files: LoaderFiles, references: unknown, config: string, depth: number): Paths {
	if (!Array.isArray(references)) return NONE;
	const found = references.map((reference: unknown) => {
		const name: unknown = Reflect.get(Object(reference), 'path');
		if (typeof name !== 'string') return NONE;
		const target = path.resolve(parent(config), name);
		return readPaths(files, target.endsWith('.json') ? target : `${target}/tsconfig.json`, depth + 1);
	});
	return found.find(({ patterns, hasBaseUrl }) => patterns.length > 0 || hasBaseUrl) ?? NONE;
}

function extendedFile(files: LoaderFiles, name: string, config: string): string {
	if (/^(\.{1,2}\/|\/)/.test(name)) {
		const target = path.resolve(parent(config), name);
		return files.isFile(target) ? target : `${target}.json`;
	}
	for (let at = parent(config); ; at = parent(at)) {
		const target = `${at === '/' ? '' : at}/node_modules/${name}`;
		for (const file of [target, `${target}.json`, `${target}/tsconfig.json`]) if (files.isFile(file)) return file;
		if (at === '/') return target;
	}
}

/** Parses JSON with comments and trailing commas, like TypeScript. TypeScript itself reports errors in it. */
function parseJsonc(text: string): unknown {
	const plain = text
		.replace(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[^]*?\*\//g, (_all, quoted: string | undefined) => quoted ?? '')
		.replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, (_all, quoted: string | undefined) => quoted ?? '');
	try {
		return JSON.parse(plain);
	} catch {
		return {};
	}
}
