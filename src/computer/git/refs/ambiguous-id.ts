import { formatDate } from '../history/dates.ts';
import { decode } from '../bytes.ts';
import { GitError } from '../errors.ts';
import { parseCommit, parseSignature, subjectOf } from '../objects/commit.ts';
import { taggedId } from '../objects/tag.ts';
import type { Repository } from '../repository.ts';

/** Kind of object that a revision must name: a `…ish` one leads there through tags and commits. */
export type WantedKind = 'any' | 'commit' | 'committish' | 'tree' | 'treeish' | 'blob';

const CONFIGURED: readonly string[] = ['commit', 'committish', 'tree', 'treeish', 'blob'] satisfies WantedKind[];

/** An abbreviated id. */
export const ABBREVIATED = /^[0-9a-f]{4,39}$/i;

/** Kind that a revision needs at its start, by its first suffix or the path after it. */
export function wantedKind(repository: Repository, steps: readonly string[], hasPath: boolean): WantedKind {
	const [step] = steps;
	if (step === undefined) {
		if (hasPath) return 'treeish';
		const configured = repository.config.get('core.disambiguate');
		return CONFIGURED.includes(configured ?? '') ? (configured as WantedKind) : 'any';
	}
	const named = /^\^\{(.*)\}$/s.exec(step)?.[1];
	if (named === undefined || named === 'commit') return 'committish';
	if (named === 'tree') return 'treeish';
	return named === 'blob' ? 'blob' : 'any';
}

/** The only object of the wanted kind whose id starts with the digits; null if there are none or several. */
export function onlyObject(repository: Repository, digits: string, kind: WantedKind): string | null {
	const all = repository.objects.idsWithPrefix(digits.toLowerCase());
	if (all.length < 2) return all[0] ?? null;
	// Without a wanted kind, a commit is most likely meant.
	const fitting = all.filter((id) => isOfKind(repository, id, kind === 'any' ? 'commit' : kind));
	return fitting.length === 1 ? fitting[0]! : null;
}

function isOfKind(repository: Repository, id: string, kind: WantedKind): boolean {
	let object = repository.objects.find(id);
	if (kind === 'any' || object?.type === kind) return true;
	if (kind !== 'committish' && kind !== 'treeish') return false;
	while (object?.type === 'tag') object = repository.objects.find(taggedId(object.content));
	return object?.type === 'commit' || (kind === 'treeish' && object?.type === 'tree');
}

/** Puts the list of objects that an abbreviated id may mean before an error; without effect on any other name. */
export function withCandidates(repository: Repository, error: GitError, base: string, kind: WantedKind): GitError {
	const described = /-g([0-9a-f]{4,40})$/.exec(base)?.[1];
	const lines = candidates(repository, described ?? base, described === undefined ? kind : 'commit');
	return lines === '' ? error : new GitError(`${lines}${error.message}`, error.code);
}

function candidates(repository: Repository, digits: string, kind: WantedKind): string {
	if (!ABBREVIATED.test(digits)) return '';
	const all = repository.objects.idsWithPrefix(digits.toLowerCase());
	if (all.length < 2) return '';
	const fitting = all.filter((id) => isOfKind(repository, id, kind));
	const lines = (fitting.length === 0 ? all : fitting)
		.map((id) => ({ id, type: repository.objects.find(id)?.type }))
		.sort((a, b) => rank(a.type) - rank(b.type) || (a.id < b.id ? -1 : 1))
		.map(({ id, type }) => `hint:   ${repository.objects.abbreviate(id)} ${description(repository, id, type)}\n`);
	return `error: short object ID ${digits} is ambiguous\nhint: The candidates are:\n${lines.join('')}`;
}

const rank = (type: string | undefined): number => ['tag', 'commit', 'tree', 'blob'].indexOf(type ?? '');

/** Describes an object: `commit 2005-04-07 - Subject`, `tag 2005-04-07 - v1.0`, or only its type. */
function description(repository: Repository, id: string, type: string | undefined): string {
	const object = repository.objects.find(id);
	if (!object || type === undefined) return '[bad object]';
	const day = (who: Parameters<typeof formatDate>[0]) => formatDate(who, 'short', repository.files.now()) ?? '';
	if (type === 'commit') {
		const { author, message } = parseCommit(object.content);
		return `commit ${day(author)} - ${subjectOf(message)}`;
	}
	if (type !== 'tag') return type;
	const header = decode(object.content).split('\n\n', 1)[0] ?? '';
	const name = /^tag (.*)$/m.exec(header)?.[1] ?? '';
	const tagger = /^tagger (.*)$/m.exec(header)?.[1];
	return tagger === undefined ? `tag ${name}` : `tag ${day(parseSignature(tagger))} - ${name}`;
}
