import { UsageError } from '../../options.ts';
import { replacementPieces } from '../../sed/parse.ts';
import type { Substitution } from '../../sed/script.ts';
import { substitute } from '../../sed/substitute.ts';
import { posixPattern } from '../../text/posix-pattern.ts';

/** Kind of name to transform: a member's own, or the target of a link. */
export type NameKind = 'regular' | 'symlink' | 'hardlink';

export interface Transformation {
	kinds: ReadonlySet<NameKind>;
	apply(name: string): string;
}

const KINDS: Record<string, NameKind> = { r: 'regular', s: 'symlink', h: 'hardlink' };

/** Parses `s/old/new/gi;s,…`, optionally after `flags=rSH`. @throws UsageError */
export function transformation(text: string): Transformation[] {
	const found: Transformation[] = [];
	let kinds = new Set<NameKind>(Object.values(KINDS));
	for (let rest = text; rest !== '';) {
		const [given, letters] = /^flags=([a-zA-Z]*);?/.exec(rest) ?? [];
		if (given !== undefined) {
			kinds = kindsAfter(kinds, letters ?? '');
			rest = rest.slice(given.length);
			continue;
		}
		const delimiter = rest[1] ?? '';
		const part = `((?:\\\\[^]|(?!\\\\)[^${delimiter === '^' || delimiter === ']' ? '\\' : ''}${delimiter}])*)`;
		const parts =
			rest.startsWith('s') && delimiter !== '' && delimiter !== '\\'
				? new RegExp(
						`^s[^]${part}[^]${part}${delimiter === ';' ? ';' : `[${delimiter === '^' || delimiter === ']' ? '\\' : ''}${delimiter}]`}([^;]*);?`
					).exec(rest)
				: null;
		if (!parts) throw new UsageError('Invalid transform expression');
		const [whole, pattern = '', replacement = '', flags = ''] = parts;
		found.push(one(pattern, replacement.replaceAll(`\\${delimiter}`, delimiter), flags, kinds));
		rest = rest.slice(whole.length);
	}
	return found;
}

function kindsAfter(kinds: ReadonlySet<NameKind>, letters: string): Set<NameKind> {
	const after = new Set(kinds);
	for (const letter of letters) {
		const kind = KINDS[letter.toLowerCase()];
		if (!kind) continue;
		if (letter in KINDS) after.add(kind);
		else after.delete(kind);
	}
	return after;
}

function one(pattern: string, replacement: string, flags: string, kinds: ReadonlySet<NameKind>): Transformation {
	const unknown = /[^gixrRsShH\d]/.exec(flags)?.[0];
	if (unknown !== undefined) throw new UsageError(`Unknown flag in transform expression: ${unknown}`);
	const expression = posixPattern(pattern, {
		extended: flags.includes('x'),
		ignoreCase: flags.includes('i'),
		escapes: true
	});
	const how: Substitution = {
		pattern: expression,
		replacement: replacementPieces(replacement, false),
		global: flags.includes('g'),
		nth: Number(/\d+/.exec(flags)?.[0] ?? 1),
		print: null,
		file: null,
		evaluate: false
	};
	const search = new RegExp(expression.source, `${expression.flags}g`);
	return { kinds: kindsAfter(kinds, flags), apply: (name) => substitute(name, search, how) ?? name };
}
