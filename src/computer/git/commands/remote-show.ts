import { isAncestor } from '../history/walk.ts';
import type { Command, Invocation } from '../invocation.ts';
import { parseOptions } from '../options.ts';
import { isLeftOut, mappedName, sourceOf, type Refspec } from '../refs/refspec.ts';
import { expandRef } from '../refs/named-ref.ts';
import { headOf, type Advertisement } from '../remote/advertisement.ts';
import { Connection } from '../remote/connection.ts';
import { staleRefs } from '../remote/fetch-plan.ts';
import { remoteNamed, type Remote } from '../remote/remote-settings.ts';
import type { Repository } from '../repository.ts';

/** `git remote show`: shows remotes and the local branches configured for them. */
export const showRemotes: Command = async (git, args) => {
	const options = parseOptions('remote show [<options>] <name>...', args, { noQuery: '-n', verbose: '-v --verbose' });
	for (const name of options.operands) {
		const remote = remoteNamed(git.repository, name);
		const there = options.has('noQuery') ? null : await queried(git, remote);
		git.out(head(remote, there));
		git.out(remoteBranches(git.repository, remote, there));
		git.out(pulledBranches(git.repository, name));
		git.out(pushedRefs(git.repository, remote, there));
	}
	return 0;
};

const queried = (git: Invocation, { urls, uploadPack: program }: Remote): Promise<Advertisement> =>
	Connection.advertisedAt(git, { url: urls[0]!, config: git.repository.config, program }, 'fetch');

function head({ name, urls, pushUrls }: Remote, there: Advertisement | null): string {
	const branch = there === null ? '(not queried)' : (headOf(there)?.replace('refs/heads/', '') ?? '(unknown)');
	const pushes = pushUrls.map((url) => `  Push  URL: ${url}\n`).join('');
	return `* remote ${name}\n  Fetch URL: ${urls[0]}\n${pushes}  HEAD branch: ${branch}\n`;
}

const widest = (texts: readonly string[]): number => Math.max(0, ...texts.map((text) => text.length));

/** Heading of a list, singular or plural. */
const title = (one: string, many: string, count: number): string => `  ${count === 1 ? one : many}`;

const shortBranch = (name: string): string => name.replace(/^refs\/heads\//, '');

function remoteBranches(repository: Repository, remote: Remote, there: Advertisement | null): string {
	const states = there === null ? knownBranches(repository, remote) : branchStates(repository, remote, there);
	if (states.size === 0) return '';
	const rows = [...states].sort(([a], [b]) => (a < b ? -1 : 1));
	const width = widest(rows.map(([name]) => name));
	const lines = rows.map(([name, state]) =>
		there === null ? `    ${name}\n` : `    ${name.padEnd(width)} ${state}\n`
	);
	const heading = title('Remote branch:', 'Remote branches:', rows.length);
	return `${heading}${there === null ? ' (status not queried)' : ''}\n${lines.join('')}`;
}

/** Branches of the remote as known from remote-tracking branches. */
function knownBranches({ refs }: Repository, { fetchSpecs }: Remote): Map<string, string> {
	const names = refs.list('refs/').filter(({ name }) => refs.symbolic(name) === null);
	return new Map(
		names.flatMap(({ name }) =>
			fetchSpecs.flatMap((spec): [string, string][] => {
				const source = sourceOf(spec, name);
				return source === null ? [] : [[shortBranch(source), '']];
			})
		)
	);
}

/** State of each branch of the remote. For branches of the same name, the first state listed here wins. */
function branchStates(repository: Repository, remote: Remote, there: Advertisement): Map<string, string> {
	const { refs } = repository;
	const states = new Map<string, string>();
	const specs = remote.fetchSpecs;
	const put = (name: string, state: string) => {
		const key = shortBranch(name);
		if (!states.has(key)) states.set(key, state);
	};
	const mapped = there.refs
		.filter(({ name }) => name !== 'HEAD')
		.flatMap(({ name }) => specs.flatMap((spec) => ({ name, target: mappedName(spec, name) })))
		.filter(({ target }) => target !== null);
	const taken = mapped.filter(({ name }) => !isLeftOut(specs, name));
	for (const { name, target } of taken)
		if (refs.resolve(target ?? '') === null) put(name, `new (next fetch will store in remotes/${remote.name})`);
	for (const { name } of taken) put(name, 'tracked');
	for (const name of staleRefs(repository, there, specs)) put(name, "stale (use 'git remote prune' to remove)");
	for (const { name } of mapped) put(name, 'skipped');
	return states;
}

/** Local branches for which `git pull` merges or rebases from the remote. */
function pulledBranches({ config }: Repository, remote: string): string {
	const rows = config
		.subsections('branch')
		.filter((name) => config.get(`branch.${name}.remote`) === remote)
		.map((name) => ({
			name,
			merges: config.values(`branch.${name}.merge`).flatMap((text) => text.split(' ').map(shortBranch)),
			rebase: config.get(`branch.${name}.rebase`) ?? 'false'
		}))
		.filter(({ merges }) => merges.length > 0)
		.sort((a, b) => (a.name < b.name ? -1 : 1));
	if (rows.length === 0) return '';
	const width = widest(rows.map(({ name }) => name));
	const isRebased = (rebase: string) => !['false', 'no', 'off', '0'].includes(rebase);
	const anyRebase = rows.some(({ rebase }) => isRebased(rebase));
	const lines = rows.map(({ name, merges: [first = '', ...others], rebase }) => {
		const start = `    ${name.padEnd(width)} `;
		const how = /^(?:i|interactive)$/.test(rebase)
			? 'rebases interactively onto remote'
			: /^(?:m|merges)$/.test(rebase)
				? 'rebases interactively (with merges) onto remote'
				: 'rebases onto remote';
		if (isRebased(rebase)) return `${start}${how} ${first}\n`;
		const gap = anyRebase ? ' ' : '';
		const more = others.map((other) => `    ${' '.repeat(width)} ${gap}   and with remote ${other}\n`).join('');
		return `${start}${gap}merges with remote ${first}\n${more}`;
	});
	const heading = title(
		"Local branch configured for 'git pull':",
		"Local branches configured for 'git pull':",
		rows.length
	);
	return `${heading}\n${lines.join('')}`;
}

/** Ref that `git push` updates. */
interface PushedRef {
	from: string;
	to: string;
	isForced: boolean;
	state: string;
}

function pushedRefs(repository: Repository, remote: Remote, there: Advertisement | null): string {
	if (remote.isMirror) return "  Local refs will be mirrored by 'git push'\n";
	const rows = (there === null ? namedPushes(remote.pushSpecs) : plannedPushes(repository, remote, there)).sort(
		(a, b) => (a.from === b.from ? (a.to < b.to ? -1 : 1) : a.from < b.from ? -1 : 1)
	);
	if (rows.length === 0) return '';
	const [left, right] = [widest(rows.map(({ from }) => from)), widest(rows.map(({ to }) => to))];
	const lines = rows.map(({ from, to, isForced, state }) => {
		const start = `    ${from.padEnd(left)} ${isForced ? 'forces to' : 'pushes to'} `;
		return there === null ? `${start}${to}\n` : `${start}${to.padEnd(right)} (${state})\n`;
	});
	const heading = title("Local ref configured for 'git push'", "Local refs configured for 'git push'", rows.length);
	return `${heading}${there === null ? ' (status not queried)' : ''}:\n${lines.join('')}`;
}

/** Configured push refspecs, without querying the remote. */
function namedPushes(specs: readonly Refspec[]): PushedRef[] {
	const matching = { from: '(matching)', to: '(matching)', isForced: false, state: '' };
	if (specs.length === 0) return [matching];
	return specs.map(({ source, target, isForced }) =>
		source === '' && target === ''
			? { ...matching, isForced }
			: { from: source === '' ? '(delete)' : source, to: target ?? source, isForced, state: '' }
	);
}

function plannedPushes(repository: Repository, { pushSpecs }: Remote, there: Advertisement): PushedRef[] {
	const { refs } = repository;
	const theirs = new Map(there.refs.map(({ name, id }) => [name, id]));
	const usual: Refspec = { source: '', target: '', isForced: false, isNegative: false };
	return (pushSpecs.length === 0 ? [usual] : pushSpecs).flatMap(({ source, target, isForced, isNegative }) => {
		if (isNegative) return [];
		const pairs =
			source === '' && target === ''
				? refs.list('refs/heads/').flatMap(({ name }) => (theirs.has(name) ? [[name, name] as const] : []))
				: source.includes('*')
					? refs.list('refs/').flatMap(({ name }) => {
							const to = mappedName({ source, target: target ?? source, isForced, isNegative }, name);
							return to === null ? [] : [[name, to] as const];
						})
					: [[expandRef(repository, source), target ?? source] as const];
		return pairs.flatMap(([from, to]) =>
			from === null && source !== ''
				? []
				: [
						{
							from: from === null ? '(delete)' : shortBranch(from),
							to: shortBranch(to),
							isForced,
							state: pushState(repository, from === null ? null : refs.resolve(from), theirs.get(to) ?? null)
						}
					]
		);
	});
}

/** Describes the effect of a push on a ref of the other side. */
function pushState(repository: Repository, own: string | null, theirs: string | null): string {
	if (own === null) return 'delete';
	if (theirs === null) return 'create';
	if (theirs === own) return 'up to date';
	const isKnown = repository.objects.has(theirs);
	return isKnown && isAncestor(repository, theirs, own) ? 'fast-forwardable' : 'local out of date';
}
