import { globSource } from '#computer/shell/expansion/pattern.ts';
import { escapePattern } from '../../text/posix-pattern.ts';

/** Rules for matching a pattern against a name. */
export interface Matching {
	wildcards: boolean;
	/** Matches only at the start of the name, not after any slash. */
	anchored: boolean;
	ignoreCase: boolean;
	/** Wildcards do not match a slash. */
	path: boolean;
	/** A pattern that matches a directory also matches its contents. */
	below: boolean;
}

export const PLAIN: Matching = { wildcards: false, anchored: true, ignoreCase: false, path: false, below: true };

/** Builds the regular expression that a name, without trailing slash, has to match. */
export function nameExpression(pattern: string, how: Matching): RegExp {
	const text = pattern.replace(/(?<=.)\/+$/s, '');
	const source = how.wildcards ? globSource(text, how.path) : escapePattern(text);
	return new RegExp(
		`^${how.anchored ? '' : '(?:.*/)?'}(?:${source})${how.below ? '(?:/.*)?' : ''}$`,
		how.ignoreCase ? 'isu' : 'su'
	);
}

/** Pattern flags; each option changes them for the patterns after it. */
export class MatchingFlags {
	#wildcards: boolean | null = null;
	#isAnchored: boolean | null = null;
	#flags: Matching = { ...PLAIN };

	/** Applies an option. Returns false if it does not concern matching. */
	take(name: string): boolean {
		const flags = this.#flags;
		if (name === 'wildcards' || name === 'no-wildcards') this.#wildcards = name === 'wildcards';
		else if (name === 'anchored' || name === 'no-anchored') this.#isAnchored = name === 'anchored';
		else if (name.endsWith('ignore-case')) this.#flags = { ...flags, ignoreCase: name === 'ignore-case' };
		else if (name.endsWith('wildcards-match-slash'))
			this.#flags = { ...flags, path: name === 'no-wildcards-match-slash' };
		else return false;
		return true;
	}

	/** Flags for a pattern of `--exclude`. */
	forExclusion(): Matching {
		return { ...this.#flags, wildcards: this.#wildcards !== false, anchored: this.#isAnchored === true };
	}

	/** Flags for the name of a member. */
	forMember(): Matching {
		return { ...this.#flags, wildcards: this.#wildcards === true, anchored: this.#isAnchored !== false };
	}
}
