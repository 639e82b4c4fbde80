import { fatal } from '../errors.ts';
import { headTree, treeToWorktree } from '../diff/sides.ts';
import { ancestors, walkHistory } from '../history/walk.ts';
import type { Command } from '../invocation.ts';
import { parseOptions } from '../options.ts';
import { resolveCommit } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';
import { wildmatch } from '../worktree/wildmatch.ts';

export const describe: Command = (git, args) => {
	const options = parseOptions('describe [<options>] [<commit-ish>...]', args, {
		tags: '--tags',
		all: '--all',
		always: '--always',
		abbreviate: '--abbrev =',
		dirty: '--dirty ?',
		exact: '--exact-match',
		long: '--long',
		match: '--match =',
		firstParent: '--first-parent'
	});
	const { repository } = git;
	const dirty = options.has('dirty')
		? treeToWorktree(repository, headTree(repository)).length > 0
			? options.get('dirty') || '-dirty'
			: ''
		: '';
	const digits = options.get('abbreviate') === undefined ? undefined : Number(options.get('abbreviate'));
	const short = (id: string) => repository.objects.abbreviate(id, digits);
	for (const text of options.operands.length === 0 ? ['HEAD'] : options.operands) {
		const start = resolveCommit(repository, text);
		const names = candidates(
			repository,
			options.has('tags') || options.has('all'),
			options.has('all'),
			options.get('match')
		);
		const best = nearest(repository, start, names, options.has('exact'), options.has('firstParent'));
		if (best) {
			const plain = digits === 0 || (best.distance === 0 && !options.has('long'));
			git.out(`${best.name}${plain ? '' : `-${best.distance}-g${short(start)}`}${dirty}\n`);
		} else if (options.has('always')) git.out(`${digits === 0 ? start : short(start)}${dirty}\n`);
		else if (options.has('exact')) throw fatal(`no tag exactly matches '${start}'`);
		else if (names.size === 0 && repository.refs.list('refs/tags/').length > 0)
			throw fatal(`No annotated tags can describe '${start}'.\nHowever, there were unannotated tags: try --tags.`);
		else if (names.size > 0) throw fatal(`No tags can describe '${start}'.\nTry --always, or create some tags.`);
		else throw fatal('No names found, cannot describe anything.');
	}
	return 0;
};

/** Commit → the name that describes it; annotated tags go before plain ones. */
function candidates(
	repository: Repository,
	plain: boolean,
	all: boolean,
	match: string | undefined
): Map<string, string> {
	const found = new Map<string, { name: string; rank: number; seconds: number }>();
	const pattern = match === undefined ? null : wildmatch(match, true);
	for (const { name, id } of repository.refs.list(all ? 'refs/' : 'refs/tags/')) {
		const isTag = name.startsWith('refs/tags/');
		const target = repository.peeled(id);
		const rank = !isTag ? 0 : target === id ? 1 : 2;
		if (rank < 2 && !plain) continue;
		const short = name.replace(/^refs\/tags\//, '');
		if (pattern && !pattern.test(short)) continue;
		const before = found.get(target);
		const seconds =
			rank === 2
				? Number(
						/^tagger .* (\d+) [+-]\d{4}$/m.exec(new TextDecoder().decode(repository.objects.find(id)?.content))?.[1] ??
							0
					)
				: 0;
		if (before && (before.rank > rank || (before.rank === rank && before.seconds >= seconds))) continue;
		found.set(target, { name: all ? name.replace(/^refs\//, '') : short, rank, seconds });
	}
	return new Map([...found].map(([id, { name }]) => [id, name]));
}

function nearest(
	repository: Repository,
	start: string,
	names: Map<string, string>,
	exact: boolean,
	firstParent: boolean
): { name: string; distance: number } | null {
	const own = names.get(start);
	if (own !== undefined) return { name: own, distance: 0 };
	if (exact) return null;
	let best: { name: string; distance: number } | null = null;
	let tried = 0;
	for (const { id } of walkHistory(repository, { include: [start], exclude: [] }, firstParent)) {
		const name = names.get(id);
		if (name === undefined) continue;
		const behind = ancestors(repository, [id]);
		let distance = 0;
		for (const revision of walkHistory(repository, { include: [start], exclude: [] }, firstParent)) {
			if (!behind.has(revision.id)) distance++;
		}
		if (!best || distance < best.distance) best = { name, distance };
		if (++tried === 10) break;
	}
	return best;
}
