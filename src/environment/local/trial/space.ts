import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, readdir, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { env, getgid, getuid } from 'node:process';
import { EnvironmentError } from '../../errors.ts';
import { toEnvironmentError } from '../../node-errors.ts';
import { namespaceArguments } from '../confinement/bubblewrap.ts';
import { socketFilter } from '../confinement/socket-filter.ts';
import { isCovered, planLayers, readMountPoints, splitAtMounts } from './layers.ts';

/**
 * Candidate directories for the changed files of a trial: the overlay's upper layer must be outside the directories it
 * covers.
 */
const places = (): string[] => ['/var/tmp', tmpdir(), '/dev/shm', env['XDG_RUNTIME_DIR'] ?? `/run/user/${getuid?.()}`];
/** Paths in overlay options, in which some characters have a special meaning. */
const PLAIN_PATH = /^[\w./-]+$/;
/** A nameserver without a route, so that a lookup fails at once and is counted. Documentation address of RFC 5737. */
const NO_NAMESERVER = 'nameserver 192.0.2.1\noptions timeout:1 attempts:1\n';
const READY = 'ready';

/** Mounts one overlay for each number and runs until its input ends, since the mounts live as long as it does. */
const HOLDER = `set -e
base=$1 count=$2 i=0
while [ "$i" -lt "$count" ]; do
	mount -t overlay overlay -o "lowerdir=$base/lower$i,upperdir=$base/upper$i,workdir=$base/work$i,userxattr,volatile" "$base/merged$i"
	i=$((i + 1))
done
printf ${READY}
read -r line || :`;

/** Runs the command, reports its end, and waits until the processes it left behind have been inspected. */
const SUPERVISOR = `"$@" 4>&-
code=$?
printf ended >&4
read -r line <&4
exit "$code"`;

export interface Layer {
	/** Real path of the covered directory. */
	directory: string;
	/** Changes of the trial in the kernel's format: whiteouts are devices, contents are plain files. */
	upper: string;
	/** The trial's view, accessible from outside. */
	merged: string;
}

/** Mount namespace in which directories are covered by private overlays. */
export class OverlaySpace {
	private constructor(
		private readonly base: string,
		private readonly holder: ChildProcessWithoutNullStreams,
		readonly layers: readonly Layer[],
		private readonly mounts: readonly string[],
		private readonly resolverPath: string | undefined
	) {}

	/**
	 * @param directories real paths to cover
	 * @throws EnvironmentError `EUNAVAILABLE` if the kernel allows no overlay
	 */
	static async open(directories: readonly string[]): Promise<OverlaySpace> {
		const mountPoints = await readMountPoints();
		const plan = planLayers(await splitAtMounts(directories, mountPoints), mountPoints);
		const base = await makeBase(plan.directories, mountPoints);
		try {
			for (const [index, directory] of plan.directories.entries()) await makeLayer(base, index, directory);
			await writeFile(join(base, 'resolv.conf'), NO_NAMESERVER);
			const holder = await startHolder(base, plan.directories.length);
			const seen = `/proc/${holder.pid}/root${base}`;
			const layers = plan.directories.map((directory, index) => ({
				directory,
				upper: join(base, `upper${index}`),
				merged: join(seen, `merged${index}`)
			}));
			const resolverPath = await realpath('/etc/resolv.conf').catch(() => undefined);
			return new OverlaySpace(base, holder, layers, plan.mounts, resolverPath);
		} catch (error) {
			await removeAll(base);
			throw error;
		}
	}

	/** Builds the command that starts these words in the namespace, supervised; all its processes end with it. */
	wrap(bubblewrap: string, words: readonly string[], { network, cwd }: { network: boolean; cwd: string }) {
		const isRoot = getuid?.() === 0;
		const args = [
			...['--target', String(this.holder.pid), '--mount', ...(isRoot ? [] : ['--user', '--preserve-credentials'])],
			...['--', bubblewrap, '--ro-bind', '/', '/'],
			...this.layers.flatMap(({ directory }, index) => ['--bind', join(this.base, `merged${index}`), directory]),
			...this.mounts.flatMap((path) => ['--ro-bind-try', path, path]),
			...(isRoot ? [] : ['--unshare-user', '--uid', String(getuid?.() ?? 0), '--gid', String(getgid?.() ?? 0)]),
			...namespaceArguments({ network }),
			...(network || this.resolverPath === undefined
				? []
				: ['--ro-bind', join(this.base, 'resolv.conf'), this.resolverPath]),
			...['--tmpfs', this.base, '--die-with-parent', '--chdir', cwd],
			...['--', '/bin/sh', '-c', SUPERVISOR, 'sh', ...words]
		];
		return { program: 'nsenter', args, filter: socketFilter(), isSupervised: true };
	}

	/** Finds the layer that covers a path, and the path within it. */
	locate(path: string): { layer: Layer; below: string } | undefined {
		const holding = this.layers.filter(({ directory }) => path.startsWith(directory === sep ? sep : directory + sep));
		const layer = holding.reduce<Layer | undefined>(
			(best, one) => (best && best.directory.length > one.directory.length ? best : one),
			undefined
		);
		return layer && { layer, below: path.slice(layer.directory === sep ? 1 : layer.directory.length + 1) };
	}

	async dispose(): Promise<void> {
		if (this.holder.exitCode === null && this.holder.signalCode === null) {
			const gone = once(this.holder, 'exit');
			// Keeps the host running until it has exited.
			this.holder.ref();
			this.holder.kill('SIGKILL');
			await gone;
		}
		await removeAll(this.base);
	}
}

async function makeBase(directories: readonly string[], mountPoints: readonly string[]): Promise<string> {
	const reasons: string[] = [];
	for (const place of [...new Set(places())]) {
		try {
			const real = await realpath(place);
			if (!PLAIN_PATH.test(real)) reasons.push(`${place} has signs in its name that the kernel takes for options`);
			else if (isCovered(real, directories, mountPoints)) reasons.push(`${place} lies in what it covers`);
			else return await mkdtemp(join(real, 'sandglass-trial-'));
		} catch (error) {
			reasons.push(`${place}: ${toEnvironmentError(error).code}`);
		}
	}
	const message = `There is no place for the files of a trial outside of what it covers (${reasons.join('; ')}).`;
	throw new EnvironmentError('EUNAVAILABLE', message);
}

async function makeLayer(base: string, index: number, directory: string): Promise<void> {
	await symlink(directory, join(base, `lower${index}`));
	for (const name of ['upper', 'work', 'merged']) await mkdir(join(base, `${name}${index}`));
	// The root of the trial's view takes its mode and owner from the upper layer.
	const { mode, uid, gid } = await stat(directory);
	const upper = join(base, `upper${index}`);
	if (getuid?.() === 0) await chown(upper, uid, gid);
	await chmod(upper, mode & 0o7777);
}

async function startHolder(base: string, count: number): Promise<ChildProcessWithoutNullStreams> {
	const flags = getuid?.() === 0 ? ['--mount'] : ['--user', '--map-root-user', '--mount'];
	const words = ['/bin/sh', '-c', HOLDER, 'sh', base, String(count)];
	const holder = spawn('unshare', [...flags, '--propagation', 'private', '--', ...words], {
		cwd: '/',
		env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
		stdio: 'pipe'
	});
	let stderrText = '';
	holder.stderr.setEncoding('utf8').on('data', (text: string) => (stderrText += text));
	holder.stdin.on('error', () => undefined);
	const isReady = await new Promise<boolean>((resolve) => {
		holder.stdout.once('data', () => resolve(true));
		holder.once('error', () => resolve(false));
		holder.once('exit', () => resolve(false));
	});
	if (!isReady) throw new EnvironmentError('EUNAVAILABLE', `No overlay can be mounted here: ${stderrText.trim()}`);
	// The host need not wait for it: it only holds mounts.
	holder.unref();
	return holder;
}

/**
 * Removes a tree whose directories may have been made inaccessible to their owner, by a program or by the kernel for an
 * overlay.
 */
async function removeAll(path: string): Promise<void> {
	// In advance rather than after a failure: a failed removal continues concurrently with the next attempt.
	await openAll(path);
	await rm(path, { recursive: true, force: true });
}

async function openAll(directory: string): Promise<void> {
	await chmod(directory, 0o700);
	for (const entry of await readdir(directory, { withFileTypes: true }))
		if (entry.isDirectory()) await openAll(join(directory, entry.name));
}
