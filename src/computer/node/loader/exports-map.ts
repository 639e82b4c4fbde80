import { nodeError } from '../runtime/errors.ts';
import type { PackageJson } from './files.ts';

/** `undefined`: no branch matched; `null`: explicitly closed. */
type Target = string | null | undefined;

/**
 * Resolves a subpath (`.`, `./sub`) by a package's `exports` to an absolute path. Throws
 * ERR_PACKAGE_PATH_NOT_EXPORTED.
 */
export function resolveExports(pkg: PackageJson, subpath: string, conditions: Set<string>): string {
	const map = isSubpathMap(pkg.exports) ? pkg.exports : { '.': pkg.exports };
	const target = matchKey(map, subpath, conditions);
	if (typeof target === 'string') return inside(pkg, target, subpath);
	const where = `${pkg.directory}/package.json`;
	throw nodeError(
		Error,
		'ERR_PACKAGE_PATH_NOT_EXPORTED',
		subpath === '.'
			? `No "exports" main defined in ${where}`
			: `Package subpath '${subpath}' is not defined by "exports" in ${where}`
	);
}

/** Resolves `#name` in a package to an absolute path, or to the name of another package. */
export function resolveImports(pkg: PackageJson | null, name: string, conditions: Set<string>, from: string): string {
	const map = pkg?.imports;
	const target = isRecord(map) ? matchKey(map, name, conditions) : undefined;
	if (typeof target === 'string' && pkg) return target.startsWith('./') ? inside(pkg, target, name) : target;
	throw nodeError(
		TypeError,
		'ERR_PACKAGE_IMPORT_NOT_DEFINED',
		`Package import specifier "${name}" is not defined${pkg ? ` in package ${pkg.directory}/package.json` : ''} imported from ${from}`
	);
}

function matchKey(map: Record<string, unknown>, key: string, conditions: Set<string>): Target {
	if (Object.hasOwn(map, key) && !key.includes('*')) return pick(map[key], conditions, '');
	let best: { pattern: string; star: string } | null = null;
	for (const pattern of Object.keys(map)) {
		const at = pattern.indexOf('*');
		if (at < 0) continue;
		const tail = pattern.slice(at + 1);
		if (!key.startsWith(pattern.slice(0, at)) || !key.endsWith(tail) || key.length < pattern.length) continue;
		if (
			!best ||
			at > best.pattern.indexOf('*') ||
			(at === best.pattern.indexOf('*') && pattern.length > best.pattern.length)
		) {
			best = { pattern, star: key.slice(at, key.length - tail.length) };
		}
	}
	return best ? pick(map[best.pattern], conditions, best.star) : undefined;
}

function pick(target: unknown, conditions: Set<string>, star: string): Target {
	if (typeof target === 'string') return target.replaceAll('*', star);
	if (target === null) return null;
	if (Array.isArray(target)) {
		for (const choice of target) {
			const found = pick(choice, conditions, star);
			if (found !== undefined && found !== null) return found;
		}
		return undefined;
	}
	if (!isRecord(target)) return undefined;
	for (const [condition, choice] of Object.entries(target)) {
		if (condition !== 'default' && !conditions.has(condition)) continue;
		const found = pick(choice, conditions, star);
		if (found !== undefined) return found;
	}
	return undefined;
}

function inside(pkg: PackageJson, target: string, key: string): string {
	if (
		!target.startsWith('./') ||
		target
			.slice(2)
			.split('/')
			.some((part) => part === '..' || part === 'node_modules')
	) {
		throw nodeError(
			Error,
			'ERR_INVALID_PACKAGE_TARGET',
			`Invalid target "${target}" defined for '${key}' in the package config ${pkg.directory}/package.json`
		);
	}
	return `${pkg.directory}/${target.slice(2)}`;
}

function isSubpathMap(value: unknown): value is Record<string, unknown> {
	return isRecord(value) && Object.keys(value).some((key) => key.startsWith('.'));
}

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
