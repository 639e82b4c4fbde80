import { fatal } from '../errors.ts';
import { noExclusions, readExclusion, refsNamed, SPACES } from '../history/named-starts.ts';
import { inputLines } from '../input-lines.ts';
import type { Invocation } from '../invocation.ts';
import { findRevision } from '../refs/revision.ts';

/** A name on the command line of `git bundle`. */
export interface BundledName {
	/** Name of a reference, or any other revision. */
	name: string;
	/** End of a range: a tag is resolved to its commit. */
	isEnd: boolean;
}

export interface BundleNames {
	/** Revisions that select the history. */
	revisions: string[];
	included: BundledName[];
	/** Other options. */
	options: string[];
}

/** Splits the arguments of `git bundle` into revisions and options. */
export function readBundleNames(git: Invocation, args: readonly string[]): BundleNames {
	const { repository } = git;
	const found: BundleNames = { revisions: [], included: [], options: [] };
	let exclusions = noExclusions();
	let isNegated = false;
	const isMissingAllowed = args.includes('--ignore-missing');
	const left = [...args];
	const add = (name: string, isEnd = false): void => {
		if (isNegated) found.revisions.push(`^${name}`);
		else {
			found.revisions.push(name);
			found.included.push({ name, isEnd });
		}
	};
	for (let arg = left.shift(); arg !== undefined; arg = left.shift()) {
		const [, option = '', pattern] = /^(--[a-z-]+)(?:=(.*))?$/s.exec(arg) ?? [];
		if (readExclusion(git, exclusions, arg)) continue;
		if (arg === '--stdin') left.unshift(...[...inputLines(git)].filter((line) => line !== ''));
		else if (arg === '--not') isNegated = !isNegated;
		else if (SPACES[option] !== undefined) {
			for (const { name } of refsNamed(repository, option, pattern, exclusions)) add(name);
			if (option === '--all' && repository.head() !== null) add('HEAD');
			exclusions = noExclusions();
		} else if (/^(?:-n|--max-count|--skip|--since|--after|--until|--before)$/.test(arg))
			found.options.push(arg, left.shift() ?? '');
		// Bundles contain all objects anyway.
		else if (arg === '--objects' || arg === '--ignore-missing') continue;
		else if (arg.startsWith('-')) found.options.push(arg);
		else addRevision(arg);
	}
	return found;

	function addRevision(arg: string): void {
		const [, from, dots, to] = /^(.*?)(\.{2,3})(.*)$/s.exec(arg) ?? [];
		const plain = arg.replace(/^\^/, '').replace(/\^(?:[!@]|-\d*)$/, '');
		const ends = dots === undefined ? [plain] : [from || 'HEAD', to || 'HEAD'];
		if (ends.some((end) => findRevision(repository, end) === null)) {
			if (isMissingAllowed) return;
			throw fatal(`bad revision '${arg}'`);
		}
		if (dots === '..') {
			found.revisions.push(`^${from || 'HEAD'}`);
			add(to || 'HEAD', true);
		} else if (dots === '...' || plain !== arg) {
			found.revisions.push(arg);
			if (!arg.startsWith('^')) for (const name of ends) found.included.push({ name, isEnd: true });
		} else add(arg);
	}
}
