import picomatch from 'picomatch';
import { z } from 'zod';
import type { ProposedChange } from '../tool.ts';

/** Something the user allowed without further questions. */
export const PermissionRule = z.object({
	/** Model's name of a tool; if set, the rule applies only to that tool. */
	tool: z.string().min(1).optional(),
	/** The kind of effect: a rule for one of these never covers another. The text of a command is not a kind. */
	kind: z.enum(['path', 'input', 'host', 'git', 'server']),
	/**
	 * Depends on the kind. For `path`, a glob relative to the workspace; for `input`, the command and, on the next
	 * line, the text typed into it; for `host`, its name, with its port if the address has one; for `git`, `history`:
	 * commits and branches; for `server`, `background`: commands that keep running and may write only caches.
	 */
	pattern: z.string()
});
export type PermissionRule = z.infer<typeof PermissionRule>;

/** Kind of the rules that can cover a change; `null` if none can. */
export function ruleKind(change: ProposedChange): PermissionRule['kind'] | null {
	switch (change.kind) {
		case 'write':
			return 'path';
		case 'execute':
			return change.input === undefined ? 'server' : 'input';
		case 'network':
			return 'host';
		case 'preview':
			return null;
	}
}

/** Returns the patterns that apply to a change proposed by a tool. */
export function patternsFor(rules: readonly PermissionRule[], change: ProposedChange, toolName: string): string[] {
	const kind = ruleKind(change);
	return rules
		.filter((rule) => rule.kind === kind && (rule.tool === undefined || rule.tool === toolName))
		.map(({ pattern }) => pattern);
}

/** Patterns of one kind that apply to effects, regardless of the tool that ran the command. */
export function effectPatterns(rules: readonly PermissionRule[], kind: PermissionRule['kind']): string[] {
	return rules.filter((rule) => rule.kind === kind && rule.tool === undefined).map(({ pattern }) => pattern);
}

/** Maximum length of a glob: longer than any path; the library refuses much longer globs. */
const MAX_GLOB_CHARACTERS = 10_000;
const BELOW = '/**';

/** Returns true if one of the globs matches a path in the workspace. */
export function matchesPath(path: string, globs: readonly string[]): boolean {
	return globs.some((glob) => {
		if (glob.length > MAX_GLOB_CHARACTERS) return false;
		const file = literalOf(glob);
		if (file !== null) return path === file;
		const directory = glob.endsWith(BELOW) ? literalOf(glob.slice(0, -BELOW.length)) : null;
		if (directory !== null) return path.startsWith(`${directory}/`);
		// In a browser on Windows, the library would treat a backslash as a slash.
		return picomatch(glob, { dot: true, windows: false })(path);
	});
}

const SIGN = /[\\*?[\]{}()!+@|^$"']/;

/**
 * Returns the only name that a glob matches; `null` if it has unescaped special characters. The library handles some
 * escaped characters incorrectly.
 */
function literalOf(glob: string): string | null {
	const name = glob.replace(/\\(.)/gs, (_, sign: string) => (SIGN.test(sign) ? ' ' : sign));
	return SIGN.test(name) ? null : glob.replace(/\\(.)/gs, '$1');
}

/** Pattern that *Always allow* creates for a write: the first directory, or the file itself at the top level. */
export function pathPattern(path: string): string {
	const slash = path.indexOf('/');
	return slash === -1 ? literalGlob(path) : `${literalGlob(path.slice(0, slash))}/**`;
}

/** Returns a glob that matches exactly this path, whatever characters it contains. */
export function literalGlob(path: string): string {
	return path.replace(new RegExp(SIGN, 'g'), '\\$&');
}

/**
 * Parses rules stored by a host. Older rules are bare patterns of any kind: ambiguous ones are dropped, so that
 * the user is asked again.
 */
export function readRules(kept: unknown): PermissionRule[] {
	if (!Array.isArray(kept)) return [];
	return kept.flatMap((value: unknown): PermissionRule[] => {
		if (typeof value === 'string') return fromBarePattern(value);
		const parsed = PermissionRule.safeParse(value);
		return parsed.success ? [parsed.data] : [];
	});
}

/** Accepts only a directory's glob: it cannot be a command, while a single word could be anything. */
function fromBarePattern(pattern: string): PermissionRule[] {
	return /^[\w@+.-]+\/\*\*$/.test(pattern) ? [{ kind: 'path', pattern }] : [];
}
