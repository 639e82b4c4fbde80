import type { GrepOptions } from '../contract.ts';
import { EnvironmentError } from '../errors.ts';
import { boundedExpression, globMatcher } from './bounded-pattern.ts';

/** File extensions of ripgrep's most common types. */
const TYPES: Readonly<Record<string, readonly string[]>> = {
	c: ['c', 'h'],
	cpp: ['cpp', 'cc', 'cxx', 'hpp', 'hh', 'h'],
	cs: ['cs'],
	css: ['css', 'scss'],
	go: ['go'],
	html: ['html', 'htm'],
	java: ['java'],
	js: ['js', 'jsx', 'mjs', 'cjs', 'vue'],
	json: ['json'],
	kotlin: ['kt', 'kts'],
	lua: ['lua'],
	md: ['md', 'markdown', 'mdx'],
	markdown: ['md', 'markdown', 'mdx'],
	php: ['php'],
	py: ['py', 'pyi'],
	python: ['py', 'pyi'],
	ruby: ['rb'],
	rust: ['rs'],
	sh: ['sh', 'bash', 'zsh'],
	sql: ['sql'],
	svelte: ['svelte'],
	swift: ['swift'],
	toml: ['toml'],
	ts: ['ts', 'tsx', 'cts', 'mts'],
	txt: ['txt'],
	xml: ['xml'],
	yaml: ['yaml', 'yml']
};

/** Files to search with {@link grepFiles}. */
export interface GrepTarget {
	/** Path as printed in the output. */
	shown: string;
	/** Paths below the target with `/` between parts; `null` if the target is a single file. */
	files: AsyncIterable<string> | null;
	/** Bytes of one of these files, or of the target itself for `''`; `undefined` if unreadable. */
	read(path: string): Promise<Uint8Array | undefined>;
}

/** Searches without ripgrep: same output, with JavaScript's regular expressions. */
export async function grepFiles(pattern: string, target: GrepTarget, options: GrepOptions): Promise<string> {
	const expression = toExpression(pattern, options);
	const accepts = fileFilter(options);
	const lines: string[] = [];
	for await (const path of target.files ?? ['']) {
		if (options.signal?.aborted) break;
		if (path !== '' && !accepts(path)) continue;
		const bytes = await target.read(path);
		if (!bytes || bytes.subarray(0, 8192).includes(0)) continue;
		const shown = path === '' ? target.shown : `${target.shown.replace(/\/$/, '')}/${path}`;
		lines.push(...linesOf(shown, new TextDecoder().decode(bytes), expression, options));
		if (options.maxLines !== undefined && lines.length >= options.maxLines) break;
	}
	const kept = options.maxLines === undefined ? lines : lines.slice(0, options.maxLines);
	return kept.length ? `${kept.join('\n')}\n` : '';
}

function toExpression(pattern: string, options: GrepOptions): RegExp {
	const source = options.literal ? pattern.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') : pattern;
	return boundedExpression(source, `gm${options.caseInsensitive ? 'i' : ''}${options.multiline ? 's' : ''}`);
}

function fileFilter(options: GrepOptions): (path: string) => boolean {
	const endings = options.type === undefined ? undefined : TYPES[options.type];
	if (options.type !== undefined && !endings)
		throw new EnvironmentError('EINVAL', `The search could not be run: unrecognized file type: ${options.type}`);
	const globs = (options.globs ?? []).map((glob) => {
		const negated = glob.startsWith('!');
		const text = negated ? glob.slice(1) : glob;
		const anywhere = text.includes('/') ? text.replace(/^\//, '') : `**/${text}`;
		return { negated, matches: globMatcher(anywhere) };
	});
	const wanted = globs.some(({ negated }) => !negated);
	return (path) => {
		if (
			endings &&
			!endings.includes(
				path
					.slice(path.lastIndexOf('/') + 1)
					.split('.')
					.at(-1) ?? ''
			)
		)
			return false;
		const last = globs.filter(({ matches }) => matches(path)).at(-1);
		return last ? !last.negated : !wanted;
	};
}

function linesOf(shown: string, text: string, expression: RegExp, options: GrepOptions): string[] {
	const lines = text.split('\n');
	if (lines.at(-1) === '') lines.pop();
	const hits = hitLines(text, lines, expression, options.multiline ?? false);
	if (hits.size === 0) return [];
	if (options.output === 'files') return [shown];
	if (options.output === 'count') return [`${shown}:${hits.size}`];
	const numbered = options.lineNumbers !== false;
	const row = (index: number, mark: ':' | '-', content: string): string =>
		`${shown}${mark}${numbered ? `${index + 1}${mark}` : ''}${content}`;
	if (options.onlyMatching)
		return [...hits].flatMap((index) => {
			expression.lastIndex = 0;
			return [...(lines[index] ?? '').matchAll(expression)].map((match) => row(index, ':', match[0]));
		});
	const printed = new Set<number>();
	for (const index of hits)
		for (let near = index - (options.before ?? 0); near <= index + (options.after ?? 0); near++)
			if (near >= 0 && near < lines.length) printed.add(near);
	const rows: string[] = [];
	let previous: number | undefined;
	for (const index of [...printed].sort((a, b) => a - b)) {
		if (previous !== undefined && index > previous + 1 && (options.before || options.after)) rows.push('--');
		rows.push(row(index, hits.has(index) ? ':' : '-', lines[index] ?? ''));
		previous = index;
	}
	return rows;
}

function hitLines(text: string, lines: string[], expression: RegExp, multiline: boolean): Set<number> {
	const hits = new Set<number>();
	if (!multiline) {
		for (const [index, line] of lines.entries()) {
			expression.lastIndex = 0;
			if (expression.test(line)) hits.add(index);
		}
		return hits;
	}
	for (const match of text.matchAll(expression)) {
		const first = text.slice(0, match.index).split('\n').length - 1;
		const last = first + match[0].replace(/\n$/, '').split('\n').length - 1;
		for (let index = first; index <= last; index++) hits.add(index);
	}
	return hits;
}
