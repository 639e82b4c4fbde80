import type { Config } from '../config/config.ts';
import { fatal, GitError } from '../errors.ts';
import { runHook } from '../hooks.ts';
import type { Command, Invocation } from '../invocation.ts';
import { NULL_ID } from '../objects/object.ts';
import { parseOptions, refuseTogether, type Options } from '../options.ts';
import { judgePush, type Lease, type PushForce } from '../push/judge-push.ts';
import { hasSources, planPush } from '../push/plan-push.ts';
import { hasFailed, type PushItem } from '../push/push-item.ts';
import { pushAdvice, reportPush, withoutSecret } from '../push/push-report.ts';
import { configuredPush, modulePush, pushModules, type ModulePush } from '../submodule/push-modules.ts';
import { defaultSpec, givenSpecs } from '../push/push-specs.ts';
import { sendPack } from '../push/send-pack.ts';
import { pushRemote } from '../refs/push-destination.ts';
import { parseRefspec, targetOf, type Refspec } from '../refs/refspec.ts';
import { findRevision } from '../refs/revision.ts';
import { track } from '../refs/track-branch.ts';
import { Connection } from '../remote/connection.ts';
import { FAMILY_OPTIONS, reachingBy } from '../remote/reaching-options.ts';
import { remoteNamed, type Remote } from '../remote/remote-settings.ts';

const OPTIONS = {
	force: '-f --force !',
	lease: '--force-with-lease ? !',
	includes: '--force-if-includes !',
	upstream: '-u --set-upstream !',
	delete: '-d --delete !',
	quiet: '-q --quiet !',
	tags: '--tags !',
	verbose: '-v --verbose !',
	progress: '--progress !',
	noVerify: '--no-verify',
	verify: '--verify',
	all: '--all',
	mirror: '--mirror',
	prune: '--prune',
	followTags: '--follow-tags !',
	dryRun: '-n --dry-run !',
	porcelain: '--porcelain !',
	atomic: '--atomic !',
	option: '-o --push-option = !',
	repo: '--repo =',
	signed: '--signed ? !',
	submodules: '--recurse-submodules = !',
	...FAMILY_OPTIONS,
	program: '--receive-pack --exec =',
	// Ignored: packs are always thin.
	thin: '--thin --no-thin'
};

type PushOptions = Options<keyof typeof OPTIONS>;

/** Settings of a push, for each of the remote's URLs. */
interface Push {
	remote: Remote;
	specs: Refspec[];
	options: PushOptions;
	mirrors: boolean;
	force: PushForce;
	setsUpstream: boolean;
	/** Push options (`--push-option`) for the other side. */
	texts: string[];
	modules: ModulePush;
}

/** @throws GitError for an option that the receiving end does not support */
function refuseSigned(options: PushOptions): void {
	if (/^(?:yes|true|1|)$/.test(options.get('signed') ?? 'no'))
		throw fatal('the receiving end does not support --signed push');
}

export const push: Command = (git, args) => pushIn(git, args, false);

/** @param isNested pushes a submodule before its superproject */
async function pushIn(git: Invocation, args: readonly string[], isNested: boolean): Promise<number> {
	const options = parseOptions('push [<options>] [<repository> [<refspec>...]]', args, OPTIONS);
	const { repository } = git;
	const { config } = repository;
	const [operand, ...words] = [...options.operands, ...(options.paths ?? [])];
	if (options.has('delete') && (options.has('tags') || options.has('all') || options.has('mirror')))
		throw fatal("options '--delete' and '--all/--mirror/--tags' cannot be used together");
	if (options.has('delete') && words.length === 0) throw fatal("--delete doesn't make sense without any refs");
	refuseSigned(options);
	const modules = pushedModules(git, options, isNested);
	const named = operand ?? options.get('repo');
	const usual = pushRemote(repository, repository.refs.currentBranch() ?? '');
	const remote = remoteNamed(repository, named ?? usual.name);
	checkDestination(remote, named ?? (usual.isSet ? usual.name : undefined));
	const mirrors = options.has('mirror') || remote.isMirror;
	refuseTogether(options, [
		['all', 'tags', '--all', '--tags'],
		['mirror', 'tags', '--mirror', '--tags'],
		['all', 'mirror', '--all', '--mirror']
	]);
	if (words.length > 0 && options.has('all')) throw fatal("--all can't be combined with refspecs");
	if (words.length > 0 && mirrors) throw fatal("--mirror can't be combined with refspecs");
	const texts = options.has('option') ? options.all('option') : configuredTexts(config);
	if (texts.some((text) => text.includes('\n'))) throw fatal('push options must not have new line characters');
	const specs = [
		...(options.has('tags') ? [parseRefspec('refs/tags/*')] : []),
		...givenSpecs(repository, remote, words, options.has('delete'))
	];
	let setsUpstream = options.has('upstream');
	if (specs.length === 0 && !options.has('all')) {
		if (remote.pushSpecs.length > 0) specs.push(...remote.pushSpecs);
		else if (!mirrors) {
			const chosen = defaultSpec(git, remote);
			specs.push(chosen.spec);
			setsUpstream ||= chosen.setsUpstream;
		}
	}
	const force = forceOf(git, options, remote, mirrors);
	let code = 0;
	for (const url of remote.pushUrls) {
		const isDone = await pushTo(git, url, { remote, specs, options, mirrors, force, setsUpstream, texts, modules });
		if (!isDone) code = 1;
	}
	return code;
}

/** Way to treat submodules, by the last option, or else by settings. @throws GitError for an invalid one */
function pushedModules(git: Invocation, options: PushOptions, isNested: boolean): ModulePush {
	const configured = configuredPush(git.repository);
	if (options.has('submodules')) return modulePush('recurse-submodules', options.get('submodules') ?? '');
	if (options.isTakenBack('submodules')) return 'no';
	if (!isNested || configured !== 'only') return configured;
	git.err('warning: recursing into submodule with push.recurseSubmodules=only; using on-demand instead\n');
	return 'on-demand';
}

/** @throws GitError if there is no push destination */
function checkDestination(remote: Remote, named: string | undefined): void {
	if (named === '') throw fatal("bad repository ''");
	if (named !== undefined || remote.isConfigured) return;
	throw fatal(
		'No configured push destination.\nEither specify the URL from the command-line or configure a remote repository using\n\n' +
			'    git remote add <name> <url>\n\nand then push using the remote name\n\n    git push <name>\n'
	);
}

/** Values of `push.pushOption`, of which an empty one clears the previous. @throws GitError for one without a value */
function configuredTexts(config: Config): string[] {
	const settings = config.all().filter(({ key }) => key === 'push.pushoption');
	const bare = settings.find(({ isBare }) => isBare);
	if (bare) {
		const at =
			bare.path === null
				? "unable to parse 'push.pushoption' from command-line config"
				: `bad config variable 'push.pushoption' in file '${bare.path}' at line ${bare.line}`;
		throw new GitError(`error: missing value for 'push.pushoption'\nfatal: ${at}`, 128);
	}
	const values = settings.map(({ value }) => value);
	return values.slice(values.lastIndexOf('') + 1);
}

function forceOf(git: Invocation, options: PushOptions, remote: Remote, mirrors: boolean): PushForce {
	const { repository } = git;
	const leases = options.all('lease');
	return {
		isForced: options.has('force') || mirrors,
		leases: leases.filter((text) => text !== '').map((text) => leaseOf(git, text)),
		leasesRest: leases.includes(''),
		ifIncludes:
			options.has('includes') ||
			(!options.isTakenBack('includes') && repository.config.flag('push.useforceifincludes', false)),
		fetchSpecs: remote.fetchSpecs
	};
}

function leaseOf({ repository }: Invocation, text: string): Lease {
	const [, name = '', expected] = /^([^:]*)(?::(.*))?$/s.exec(text) ?? [];
	if (expected === undefined) return { name, expected: null };
	const id = expected === '' ? NULL_ID : findRevision(repository, expected);
	if (id === null) throw new GitError(`error: cannot parse expected object name '${expected}'`, 129);
	return { name, expected: id };
}

/** Pushes to one URL. Returns false if a ref could not be updated. */
async function pushTo(git: Invocation, url: string, how: Push): Promise<boolean> {
	const { options } = how;
	if (options.has('verbose')) git.err(`Pushing to ${withoutSecret(url)}\n`);
	if (!hasSources(git, how.specs)) return failed(git, url);
	const reaching = reachingBy(options, how.remote.receivePack);
	const connection = Connection.to(git, { url, config: git.repository.config, ...reaching }, 'push');
	try {
		return await pushOver(git, connection, how);
	} finally {
		await connection.close();
	}
}

function failed(git: Invocation, url: string): false {
	git.err(`error: failed to push some refs to '${withoutSecret(url)}'\n`);
	return false;
}

async function pushOver(git: Invocation, connection: Connection, how: Push): Promise<boolean> {
	const { options } = how;
	const { url } = connection;
	const advertisement = await connection.advertisement('git-receive-pack');
	const items = planPush(git, advertisement.refs, {
		specs: how.specs,
		sendsAll: options.has('all'),
		mirrors: how.mirrors,
		prunes: options.has('prune'),
		followsTags:
			options.has('followTags') ||
			(!options.isTakenBack('followTags') && git.repository.config.flag('push.followtags', false))
	});
	if (items === null) return failed(git, url);
	judgePush(git.repository, items, how.force);
	if (
		(!options.has('noVerify') || options.latest('noVerify', 'verify') === 'verify') &&
		!asksHook(git, how, url, items)
	)
		return failed(git, url);
	const isDry = options.has('dryRun');
	await pushModules(git, { ...how, way: how.modules, items, isDry }, pushIn);
	if (how.modules === 'only') return true;
	const isSent = await sendPack(git, connection, advertisement, items, {
		isAtomic: options.has('atomic'),
		isDry,
		isQuiet: options.has('quiet'),
		showsProgress:
			!options.has('quiet') &&
			(options.has('progress') || (!options.isTakenBack('progress') && git.context.sync.isTerminal(2))),
		options: how.texts
	});
	const isDone = isSent && !items.some(hasFailed);
	const isPorcelain = options.has('porcelain');
	if (!options.has('quiet') || items.some(hasFailed))
		reportPush(git, items, { url, isPorcelain, isVerbose: options.has('verbose') || isPorcelain });
	if (how.setsUpstream) setUpstreams(git, how, items, isDry);
	if (!isDry) followPush(git, how.remote, items);
	const isQuiet = options.has('quiet');
	if (isPorcelain && isSent) git.out('Done\n');
	else if (!isQuiet && isDone && !items.some(({ state }) => state === 'ok')) git.err('Everything up-to-date\n');
	if (isDone) return true;
	failed(git, url);
	git.err(pushAdvice(git, items));
	return false;
}

/** Runs the hook `pre-push` before anything is sent. Returns false if it rejects the push. */
function asksHook(git: Invocation, { remote }: Push, url: string, items: readonly PushItem[]): boolean {
	const refused = ['non-fast-forward', 'stale info', 'remote ref updated since checkout', 'up to date'];
	const lines = items
		.filter(({ from, state }) => from !== null && !refused.includes(state))
		.map(({ from, after, name, before }) => `${from ?? ''} ${after} ${name} ${before}\n`);
	return runHook(git, 'pre-push', [remote.name, url], { text: lines.join('') });
}

/** Sets the pushed branches as upstreams of the local branches. */
function setUpstreams(git: Invocation, { remote, options }: Push, items: readonly PushItem[], isDry: boolean): void {
	const { refs } = git.repository;
	for (const { state, from, name, after } of items) {
		if ((state !== 'ok' && state !== 'up to date') || from === null || after === NULL_ID) continue;
		const local = refs.resolve(from) === null ? from : refs.target(from);
		if (!local.startsWith('refs/heads/') || !name.startsWith('refs/heads/')) continue;
		const [branch, short] = [local, name].map((full) => full.slice('refs/heads/'.length)) as [string, string];
		if (isDry) {
			if (!options.has('quiet')) git.out(`Would set upstream of '${branch}' to '${short}' of '${remote.name}'\n`);
			continue;
		}
		track(git, branch, { remote: remote.name, merge: name, shown: `${remote.name}/${short}` }, options.has('quiet'));
	}
}

/** Updates remote-tracking branches as a fetch would. */
function followPush({ repository: { refs } }: Invocation, remote: Remote, items: readonly PushItem[]): void {
	for (const { state, from, name, after } of items) {
		if ((state !== 'ok' && state !== 'up to date') || from === null) continue;
		const target = targetOf(remote.fetchSpecs, name);
		if (target === null) continue;
		if (after === NULL_ID) refs.delete(target);
		else if (refs.resolve(target) !== after) refs.update(target, after, 'update by push');
	}
}
