import { failure, fatal, GitError } from '../errors.ts';
import { runHook } from '../hooks.ts';
import type { Command, Invocation } from '../invocation.ts';
import { parseOptions } from '../options.ts';
import { expandRef } from '../refs/named-ref.ts';
import { localPath } from '../remote/connection.ts';
import { defaultRemote } from '../remote/remote-settings.ts';
import { pushTo, REFUSED_THERE } from '../remote/transfer.ts';

export const push: Command = async (git, args) => {
	const options = parseOptions('push [<options>] [<repository> [<refspec>...]]', args, {
		force: '-f --force',
		lease: '--force-with-lease --force-if-includes ?',
		upstream: '-u --set-upstream',
		delete: '-d --delete',
		quiet: '-q --quiet',
		tags: '--tags',
		verbose: '-v --verbose',
		progress: '--progress --no-progress',
		noVerify: '--no-verify'
	});
	const [named, ...specs] = options.operands;
	const remote = named ?? defaultRemote(git.repository);
	const url = pushUrl(git, remote, named !== undefined);
	if (options.has('tags')) specs.push(...git.repository.refs.list('refs/tags/').map(({ name }) => name));
	if (specs.length === 0) specs.push(branchToPush(git, remote, options.has('upstream') || named !== undefined));
	if (!options.has('noVerify') && !runHook(git, 'pre-push', [remote, url])) {
		throw failure(`failed to push some refs to '${url}'`);
	}
	const how: PushHow = {
		remote,
		url,
		force: options.has('force') || options.has('lease'),
		deletes: options.has('delete'),
		setsUpstream: options.has('upstream')
	};
	let report = '';
	let rejected: Rejection = null;
	for (const spec of specs) {
		const result = await pushOne(git, spec, how);
		// Refusals are reported by a quiet push too.
		if (!options.has('quiet') || result.rejected !== null) report += result.report;
		rejected = result.rejected === 'here' ? 'here' : (rejected ?? result.rejected);
	}
	if (report !== '') git.err(`To ${url}\n${report}`);
	else if (!options.has('quiet')) git.err('Everything up-to-date\n');
	if (rejected === null) return 0;
	const failed = `failed to push some refs to '${url}'`;
	if (rejected === 'there') throw failure(failed);
	throw failure(
		`${failed}\nhint: Updates were rejected because the tip of your current branch is behind\n` +
			"hint: its remote counterpart. Integrate the remote changes (e.g.\nhint: 'git pull ...') before pushing again."
	);
};

/** Side that refused a reference: `here` before anything was sent, by what is known of the other side. */
type Rejection = 'here' | 'there' | null;

interface PushHow {
	remote: string;
	url: string;
	force: boolean;
	deletes: boolean;
	setsUpstream: boolean;
}

function pushUrl({ repository: { config } }: Invocation, remote: string, isNamed: boolean): string {
	const url = config.get(`remote.${remote}.pushurl`) ?? config.get(`remote.${remote}.url`);
	if (url !== undefined) return url;
	if (isNamed && localPath(remote) !== null) return remote;
	if (isNamed) {
		throw fatal(`'${remote}' does not appear to be a git repository\nfatal: Could not read from remote repository.`);
	}
	throw fatal(
		'No configured push destination.\nEither specify the URL from the command-line or configure a remote repository using\n\n' +
			'    git remote add <name> <url>\n\nand then push using the remote name\n\n    git push <name>\n'
	);
}

/** The current branch, which needs an upstream unless the command names or sets one. */
function branchToPush({ repository }: Invocation, remote: string, isTargetKnown: boolean): string {
	const current = repository.refs.currentBranch();
	if (current === null) throw fatal('You are not currently on a branch.');
	if (isTargetKnown || repository.upstream(current) !== null) return current;
	throw fatal(
		`The current branch ${current} has no upstream branch.\nTo push the current branch and set the remote as upstream, use\n\n    git push --set-upstream ${remote} ${current}\n`
	);
}

/** Reads a refspec: the local ref (`null` deletes), and the one on the other side. */
function parseSpec({ repository }: Invocation, spec: string, { url, deletes }: PushHow) {
	const [, plus = '', left = '', right] = /^(\+?)([^:]*)(?::(.*))?$/.exec(spec) ?? [];
	const isDeletion = deletes || (left === '' && right !== undefined);
	const source = isDeletion ? null : left === 'HEAD' ? (repository.refs.currentBranch() ?? 'HEAD') : left;
	const full = source === null ? null : expandRef(repository, source);
	if (source !== null && full === null)
		throw failure(`src refspec ${source} does not match any\nerror: failed to push some refs to '${url}'`);
	const target = right ?? (isDeletion ? left : source!);
	const to = target.startsWith('refs/') ? target : full?.startsWith('refs/tags/') ? full : `refs/heads/${target}`;
	return { full, to, isDeletion, isForced: plus === '+' };
}

const shortName = (ref: string): string => ref.replace(/^refs\/(heads|tags)\//, '');

/** Pushes one refspec. The report is the line that git prints about it; empty if there was nothing to do. */
async function pushOne(git: Invocation, spec: string, how: PushHow): Promise<{ report: string; rejected: Rejection }> {
	const { repository } = git;
	const { refs, config, objects } = repository;
	const { full, to, isDeletion, isForced } = parseSpec(git, spec, how);
	const short = shortName(to);
	const tracking = to.startsWith('refs/heads/') ? `refs/remotes/${how.remote}/${short}` : null;
	const before = tracking === null ? null : refs.resolve(tracking);
	const id = full === null ? null : refs.resolve(full);
	if (before !== null && before === id && !isDeletion) return { report: '', rejected: null };
	const outcome = await send(git, how, full, to, how.force || isForced);
	const from = full === null ? '' : shortName(full);
	if (!outcome.ok) {
		const isThere = outcome.reason.startsWith(REFUSED_THERE);
		const what = isThere ? '[remote rejected]' : '[rejected]       ';
		const reason = isThere ? outcome.reason.slice(REFUSED_THERE.length) : outcome.reason;
		return { report: ` ! ${what} ${from} -> ${short} (${reason})\n`, rejected: isThere ? 'there' : 'here' };
	}
	if (isDeletion && tracking !== null) refs.delete(tracking);
	if (tracking !== null && id !== null) refs.note(tracking, id);
	if (how.setsUpstream && full !== null) {
		config.set(`${repository.commonDir}/config`, `branch.${from}.remote`, how.remote);
		config.set(`${repository.commonDir}/config`, `branch.${from}.merge`, to);
		git.out(`branch '${from}' set up to track '${how.remote}/${short}'.\n`);
	}
	const created = to.startsWith('refs/tags/') ? 'tag' : 'branch';
	const report = isDeletion
		? ` - [deleted]         ${short}\n`
		: before === null
			? ` * [new ${created}]      ${from} -> ${short}\n`
			: `   ${objects.abbreviate(before)}..${objects.abbreviate(id!)}  ${from} -> ${short}\n`;
	return { report, rejected: null };
}

/** Sends one ref. @throws GitError unless the other side only refuses to move or to replace its own */
async function send(git: Invocation, { remote, url }: PushHow, from: string | null, to: string, force: boolean) {
	try {
		return await pushTo(git, git.repository, { remote, url, from, to, force });
	} catch (error) {
		if (!(error instanceof GitError) || error.reason === '') throw error;
		if (error.reason.startsWith(REFUSED_THERE)) return { ok: false, reason: error.reason };
		return { ok: false, reason: error.reason === 'tag-exists' ? 'already exists' : 'non-fast-forward' };
	}
}
