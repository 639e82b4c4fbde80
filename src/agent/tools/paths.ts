import type { ExecutionEnvironment } from '#environment/contract.ts';
import { isEnvironmentError } from '#environment/errors.ts';

/**
 * Makes a model's path absolute and resolves `.` and `..`. A leading `@`, which users put before file names, is
 * dropped; `~` is left for the environment to resolve.
 */
export function absolutePath(environment: ExecutionEnvironment, path: string): string {
	const given = path.startsWith('@') ? path.slice(1) : path;
	if (given === '~' || given.startsWith('~/')) return given;
	const parts: string[] = [];
	const whole = given.startsWith('/') ? given : `${environment.workingDirectory()}/${given}`;
	for (const part of whole.split('/')) {
		if (part === '..') parts.pop();
		else if (part !== '' && part !== '.') parts.push(part);
	}
	return `/${parts.join('/')}`;
}

/** Path for display: relative to the working directory if it is inside it. */
export function displayPath(environment: ExecutionEnvironment, path: string): string {
	const root = `${environment.workingDirectory()}/`;
	return path.startsWith(root) ? path.slice(root.length) : path;
}

/**
 * Returns the path of an existing file. If the given name does not exist, tries ordinary spaces instead of other
 * spaces, and the spellings that macOS uses in file names: a narrow space before AM and PM, decomposed accents, a curly
 * apostrophe, and the last two together.
 */
export async function existingPath(environment: ExecutionEnvironment, path: string): Promise<string> {
	const absolute = absolutePath(environment, path);
	if (await exists(environment, absolute)) return absolute;
	for (const variant of spellings(absolute))
		if (variant !== absolute && (await exists(environment, variant))) return variant;
	return absolute;
}

function spellings(path: string): string[] {
	const curly = (text: string): string => text.replaceAll("'", '\u2019');
	return [
		path.replace(/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, ' '),
		path.replace(/ (AM|PM)\b/gi, '\u202f$1'),
		path.normalize('NFD'),
		path.normalize('NFC'),
		curly(path),
		curly(path.normalize('NFD'))
	];
}

async function exists(environment: ExecutionEnvironment, path: string): Promise<boolean> {
	try {
		return await environment.fileExists(path);
	} catch (error) {
		// The operation itself reports a path that cannot be read.
		if (isEnvironmentError(error) && error.code !== 'ECLOSED') return false;
		throw error;
	}
}
