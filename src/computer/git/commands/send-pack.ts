import { fatal } from '../errors.ts';
import type { Command } from '../invocation.ts';
import { parseOptions } from '../options.ts';
import { judgePush } from '../push/judge-push.ts';
import { hasSources, planPush } from '../push/plan-push.ts';
import { hasFailed } from '../push/push-item.ts';
import { reportPush } from '../push/push-report.ts';
import { sendPack } from '../push/send-pack.ts';
import { pushSpec, targetOf } from '../refs/refspec.ts';
import { Connection } from '../remote/connection.ts';
import { remoteNamed } from '../remote/remote-settings.ts';
import { inputRefs } from '../remote/input-refs.ts';

/** Pushes to a URL without remote settings and local hooks. */
export const sendPackCommand: Command = async (git, args) => {
	const options = parseOptions('send-pack [<options>] [<host>:]<directory> [<ref>...]', args, {
		all: '--all',
		mirror: '--mirror',
		force: '-f --force',
		dryRun: '-n --dry-run',
		quiet: '-q --quiet',
		progress: '--progress !',
		verbose: '-v --verbose',
		atomic: '--atomic',
		option: '--push-option =',
		remote: '--remote =',
		stdin: '--stdin',
		stateless: '--stateless-rpc',
		// Ignored: packs are always thin.
		thin: '--thin --no-thin',
		program: '--receive-pack --exec ='
	});
	const [address, ...words] = options.operands;
	if (address === undefined) throw fatal('send-pack needs the address of a repository');
	if (options.has('stdin')) words.push(...inputRefs(git, options.has('stateless')));
	const mirrors = options.has('mirror');
	if (words.length > 0 && (options.has('all') || mirrors)) throw fatal('--all and --mirror go without references');
	const specs = words.map(pushSpec);
	if (!hasSources(git, specs)) return 1;
	const { config } = git.repository;
	const connection = Connection.to(git, { url: address, config, program: options.get('program') }, 'push');
	const advertisement = await connection.advertisement('git-receive-pack');
	const wish = { specs, sendsAll: options.has('all'), mirrors, prunes: false, followsTags: false };
	const items = planPush(git, advertisement.refs, wish);
	if (items === null) return 1;
	const force = { isForced: options.has('force') || mirrors, leases: [], leasesRest: false, ifIncludes: false };
	judgePush(git.repository, items, { ...force, fetchSpecs: [] });
	const isSent = await sendPack(git, connection, advertisement, items, {
		isAtomic: options.has('atomic'),
		isDry: options.has('dryRun'),
		isQuiet: options.has('quiet'),
		showsProgress: options.has('progress') && !options.has('quiet'),
		options: options.all('option')
	});
	const isDone = isSent && !items.some(hasFailed);
	if (!options.has('quiet') || !isDone)
		reportPush(git, items, { url: address, isPorcelain: false, isVerbose: options.has('verbose') });
	const named = options.get('remote');
	if (named !== undefined && !options.has('dryRun')) {
		const { fetchSpecs } = remoteNamed(git.repository, named);
		for (const { state, name, after } of items) {
			const target = state === 'ok' ? targetOf(fetchSpecs, name) : null;
			if (target !== null) git.repository.refs.update(target, after, 'update by push');
		}
	}
	if (isDone && !items.some(({ state }) => state === 'ok')) git.err('Everything up-to-date\n');
	return isDone ? 0 : 1;
};
