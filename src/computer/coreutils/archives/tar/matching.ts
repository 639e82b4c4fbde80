import { globSource } from '#computer/shell/expansion/pattern.ts';
import { escapePattern } from '../../text/posix-pattern.ts';

/** Tells how a pattern is held against a name. */
export interface Matching {
	wildcards: boolean;
	/** At the start of the name only, not behind any slash of it. */
	anchored: boolean;
	ignoreCase: boolean;
	/** A wildcard stops at a slash. */
	path: boolean;
	/** The pattern of a directory matches what is below it. */
	below: boolean;
}

export const PLAIN: Matching = { wildcards: false, anchored: true, ignoreCase: false, path: false, below: true };

/** Makes the expression that a name, without a slash at its end, has to match. */
export function nameExpression(pattern: string, how: Matching): RegExp {
	const text = pattern.replace(/(?<=.)\/+$/s, '');
	const source = how.wildcards ? globSource(text, how.path) : escapePattern(text);
	return new RegExp(
		`^${how.anchored ? '' : '(?:.*/)?'}(?:${source})${how.below ? '(?:/.*)?' : ''}$`,
		how.ignoreCase ? 'isu' : 'su'
	);
}

/** Flags of patterns, which each option changes for the patterns behind it. */
export class MatchingFlags {
	#wildcards: boolean | null = null;
	#isAnchored: boolean | null = null;
	#flags: Matching = { ...PLAIN };

	/** Takes an option. Returns false if it is about something else. */
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
