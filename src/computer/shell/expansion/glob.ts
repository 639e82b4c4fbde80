import { ShellError } from '../state/control.ts';
import type { Shell } from '../state/shell.ts';
import { type Field, fieldText } from './field.ts';
import { globRegExp, patternOf } from './pattern.ts';

/** Characters that make a name a pattern. */
const WILD = /[*?[]|[@!+?*]\(/;

/** Expands an unquoted pattern to paths, sorted like bash in the C locale; empty if nothing matches. */
export function expandGlob(shell: Shell, field: Field, dotted = false): string[] {
	const pattern = patternOf(field);
	const absolute = pattern.startsWith('/');
	const written = pattern.split('/').filter((part, index) => part !== '' || index === 0);
	// A `**` after another `**` matches the same directories as the first.
	const isRepeated = (part: string, index: number) => part === '**' && written[index - 1] === '**';
	const parts = shell.shopt.has('globstar') ? written.filter((part, index) => !isRepeated(part, index)) : written;
	const hasRepeats = parts.length < written.length;
	if (absolute) parts.shift();
	const trailing = pattern.endsWith('/') && parts.length > 0;
	let found = [absolute ? '/' : ''];
	for (const [index, part] of parts.entries()) {
		const last = index === parts.length - 1;
		found = found.flatMap((base) => step(shell, base, part, last, dotted));
		if (found.length === 0) break;
	}
	// The directory that a trailing `**` also matches keeps its slash if it is written without wildcards.
	const isBelow = !trailing && parts.at(-1) === '**' && !hasRepeats && !WILD.test(parts.slice(0, -1).join('/'));
	const base =
		isBelow && shell.shopt.has('globstar') ? found.findIndex((path) => `${path}/` === pattern.slice(0, -2)) : -1;
	if (base >= 0) found[base] += '/';
	const paths = trailing
		? found.filter((path) => path !== '' && isDirectory(shell, path)).map((path) => `${path}/`)
		: found;
	return paths.filter(Boolean).sort(byteOrder);
}

/** Sort order of `*`. */
export const byteOrder = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

function step(shell: Shell, base: string, part: string, last: boolean, dotted: boolean): string[] {
	if (part === '**' && shell.shopt.has('globstar')) return deep(shell, base, last);
	if (!WILD.test(part.replace(/\\./g, ''))) {
		const path = base + (base === '' || base.endsWith('/') ? '' : '/') + part.replace(/\\(.)/g, '$1');
		return shell.host.context.sync.statOrNull(shell.path(path)) || isLink(shell, path) ? [path] : [];
	}
	const dots = dotted || shell.shopt.has('dotglob') ? 'any' : 'written';
	const isPlain = !shell.shopt.has('extglob');
	const expression = globRegExp(part, { path: true, ignoreCase: shell.shopt.has('nocaseglob'), isPlain, dots });
	const matches: string[] = [];
	const entries = list(shell, base);
	if (!shell.shopt.has('globskipdots'))
		entries.push({ name: '.', kind: 'directory' }, { name: '..', kind: 'directory' });
	for (const entry of entries) {
		if (!expression.test(entry.name)) continue;
		const path = join(base, entry.name);
		if (last || entry.kind === 'directory' || (entry.kind === 'symlink' && isDirectory(shell, path)))
			matches.push(path);
	}
	return matches;
}

/** `**`: every directory below (and, as the last part, every file). */
function deep(shell: Shell, base: string, last: boolean): string[] {
	const found = [base];
	const visit = (directory: string) => {
		for (const entry of list(shell, directory)) {
			if (entry.name.startsWith('.') && !shell.shopt.has('dotglob')) continue;
			const path = join(directory, entry.name);
			if (last || entry.kind === 'directory') found.push(path);
			if (entry.kind === 'directory') visit(path);
		}
	};
	visit(base);
	return found;
}

const join = (base: string, name: string) => (base === '' || base.endsWith('/') ? base + name : `${base}/${name}`);

function list(shell: Shell, path: string) {
	try {
		return shell.host.context.sync.readdir(shell.path(path || '.'));
	} catch {
		return [];
	}
}

const isDirectory = (shell: Shell, path: string) =>
	shell.host.context.sync.statOrNull(shell.path(path))?.kind === 'directory';

function isLink(shell: Shell, path: string): boolean {
	try {
		return shell.host.context.sync.lstat(shell.path(path)).kind === 'symlink';
	} catch {
		return false;
	}
}

/** Expands the field to paths, or to itself if nothing matches. @throws ShellError for `failglob` */
export function globOrText(shell: Shell, field: Field): string[] {
	const ignored = ignoredPatterns(shell);
	const found = expandGlob(shell, field, ignored.length > 0);
	const matches = found.filter((path) => {
		if (ignored.length === 0) return true;
		return !/(^|\/)\.\.?$/.test(path) && !ignored.some((pattern) => pattern.test(path));
	});
	if (matches.length > 0) return matches;
	if (shell.shopt.has('failglob')) throw new ShellError(`no match: ${fieldText(field)}`, 1, 'line');
	return shell.shopt.has('nullglob') ? [] : [fieldText(field)];
}

/** Patterns of GLOBIGNORE, separated by colons outside of brackets. */
function ignoredPatterns(shell: Shell): RegExp[] {
	const text = shell.variables.get('GLOBIGNORE');
	if (!text) return [];
	const patterns = text.match(/(?:\\.|\[!?\]?(?:\[:\w+:\]|[^\]])*\]|[^:\\])+/gs) ?? [];
	return patterns.map((pattern) => globRegExp(pattern, { path: true, isPlain: !shell.shopt.has('extglob') }));
}
