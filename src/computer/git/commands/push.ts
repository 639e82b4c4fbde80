import { failure, fatal, GitError } from '../errors.ts';
import { runHook } from '../hooks.ts';
import type { Command } from '../invocation.ts';
import { parseOptions } from '../options.ts';
import { expandRef } from '../refs/revision.ts';
import { pushTo } from '../remote/transfer.ts';
import { defaultRemote } from './fetch.ts';

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
	const { repository } = git;
	const { refs, config, objects } = repository;
	const [named, ...specs] = options.operands;
	const remote = named ?? defaultRemote(git);
	const url = config.get(`remote.${remote}.pushurl`) ?? config.get(`remote.${remote}.url`);
	if (url === undefined) {
		if (named === undefined) {
			throw fatal(
				'No configured push destination.\nEither specify the URL from the command-line or configure a remote repository using\n\n' +
					'    git remote add <name> <url>\n\nand then push using the remote name\n\n    git push <name>\n'
			);
		}
		throw fatal(`'${remote}' does not appear to be a git repository\nfatal: Could not read from remote repository.`);
	}
	const current = refs.currentBranch();
	if (options.has('tags')) specs.push(...refs.list('refs/tags/').map(({ name }) => name));
	if (specs.length === 0) {
		if (current === null) throw fatal('You are not currently on a branch.');
		const upstream = repository.upstream(current);
		if (upstream === null && !options.has('upstream') && named === undefined) {
			throw fatal(
				`The current branch ${current} has no upstream branch.\nTo push the current branch and set the remote as upstream, use\n\n    git push --set-upstream ${remote} ${current}\n`
			);
		}
		specs.push(current);
	}
	if (!options.has('noVerify') && !runHook(git, 'pre-push', [remote, url])) {
		throw failure(`failed to push some refs to '${url}'`);
	}
	const report: string[] = [];
	let rejected = false;
	for (const spec of specs) {
		const [, plus = '', left = '', right] = /^(\+?)([^:]*)(?::(.*))?$/.exec(spec) ?? [];
		const deleting = options.has('delete') || (left === '' && right !== undefined);
		const source = deleting ? null : left === 'HEAD' ? (current ?? 'HEAD') : left;
		const full = source === null ? null : expandRef(repository, source);
		if (source !== null && full === null)
			throw failure(`src refspec ${source} does not match any\nerror: failed to push some refs to '${url}'`);
		const target = right ?? (deleting ? left : source!);
		const to = target.startsWith('refs/') ? target : full?.startsWith('refs/tags/') ? full : `refs/heads/${target}`;
		const short = to.replace(/^refs\/(heads|tags)\//, '');
		const tracking = to.startsWith('refs/heads/') ? `refs/remotes/${remote}/${short}` : null;
		const before = tracking === null ? null : refs.resolve(tracking);
		const id = full === null ? null : refs.resolve(full);
		if (before !== null && before === id && !deleting) continue;
		const force = options.has('force') || options.has('lease') || plus === '+';
		let outcome;
		try {
			outcome = await pushTo(git, repository, { remote, url, from: full, to, force });
		} catch (error) {
			if (!(error instanceof GitError) || error.reason === '') throw error;
			outcome = { ok: false, reason: error.reason === 'tag-exists' ? 'already exists' : 'non-fast-forward' };
		}
		const from = full?.replace(/^refs\/(heads|tags)\//, '') ?? '';
		if (!outcome.ok) {
			rejected = true;
			report.push(` ! [rejected]        ${from} -> ${short} (${outcome.reason})\n`);
			continue;
		}
		if (deleting) {
			report.push(` - [deleted]         ${short}\n`);
			if (tracking !== null) refs.delete(tracking);
		} else if (before === null)
			report.push(` * [new ${to.startsWith('refs/tags/') ? 'tag' : 'branch'}]      ${from} -> ${short}\n`);
		else report.push(`   ${objects.abbreviate(before)}..${objects.abbreviate(id!)}  ${from} -> ${short}\n`);
		if (tracking !== null && id !== null) refs.note(tracking, id);
		if (options.has('upstream') && source !== null) {
			config.set(`${repository.gitDir}/config`, `branch.${from}.remote`, remote);
			config.set(`${repository.gitDir}/config`, `branch.${from}.merge`, to);
			git.out(`branch '${from}' set up to track '${remote}/${short}'.\n`);
		}
	}
	if (!options.has('quiet')) git.err(report.length === 0 ? 'Everything up-to-date\n' : `To ${url}\n${report.join('')}`);
	if (!rejected) return 0;
	throw failure(
		`failed to push some refs to '${url}'\nhint: Updates were rejected because the tip of your current branch is behind\n` +
			"hint: its remote counterpart. Integrate the remote changes (e.g.\nhint: 'git pull ...') before pushing again."
	);
};
