import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const START_MS = 60_000;

export interface Daemon {
	socket: string;
	docker(...args: string[]): Promise<string>;
	stop(): Promise<void>;
}

export const IMAGE = 'sandglass-test:latest';

/**
 * Starts a separate Docker daemon with its data in a temporary folder, without any network, and imports an image that
 * consists of BusyBox. Resolves with the reason if that is not possible here.
 *
 * @param addTo adds files to the root of the image
 */
export async function startDaemon(addTo?: (root: string) => Promise<void>): Promise<Daemon | { reason: string }> {
	if (process.getuid?.() !== 0) return { reason: 'a Docker daemon needs root' };
	for (const program of ['unshare', 'dockerd', 'docker', 'busybox'])
		if (!(await isInstalled(program))) return { reason: `${program} is not installed` };
	const dir = await mkdtemp(path.join(tmpdir(), 'sandglass-docker-'));
	const socket = path.join(dir, 'docker.sock');
	// Its mounts are private: those below the temporary folder would prevent mounts for trials in other tests.
	const daemon = spawn(
		'unshare',
		[
			'--mount',
			'dockerd',
			...['--host', `unix://${socket}`, '--data-root', path.join(dir, 'data'), '--exec-root', path.join(dir, 'exec')],
			...['--pidfile', path.join(dir, 'pid'), '--iptables=false', '--ip6tables=false', '--bridge=none'],
			'--storage-driver=vfs'
		],
		{ stdio: ['ignore', 'ignore', 'pipe'] }
	);
	let log = '';
	daemon.stderr.on('data', (data: Buffer) => (log = (log + data.toString()).slice(-4_000)));
	const ended = new Promise<void>((resolve) => daemon.once('exit', () => resolve()));
	const docker = async (...args: string[]): Promise<string> =>
		(await run('docker', ['--host', `unix://${socket}`, ...args], { maxBuffer: 2 ** 27 })).stdout;
	const stop = async (): Promise<void> => {
		daemon.kill('SIGTERM');
		await ended;
		await rm(dir, { recursive: true, force: true });
	};
	const until = Date.now() + START_MS;
	while (daemon.exitCode === null && Date.now() < until) {
		const isUp = await docker('info').then(
			() => true,
			() => false
		);
		if (isUp) {
			await importImage(dir, docker, addTo);
			return { socket, docker, stop };
		}
		await new Promise((resolve) => setTimeout(resolve, 250));
	}
	await stop();
	return { reason: `the Docker daemon did not start: ${log.split('\n').slice(-3).join(' ')}` };
}

async function importImage(
	dir: string,
	docker: Daemon['docker'],
	addTo?: (root: string) => Promise<void>
): Promise<void> {
	const root = path.join(dir, 'root');
	await mkdir(path.join(root, 'bin'), { recursive: true });
	for (const folder of ['tmp', 'workspace', 'etc', 'dev', 'proc', 'sys', 'usr/bin'])
		await mkdir(path.join(root, folder), { recursive: true });
	const busybox = (await run('which', ['busybox'])).stdout.trim();
	await run('cp', ['-L', busybox, path.join(root, 'bin/busybox')]);
	await run('chroot', [root, '/bin/busybox', '--install', '-s', '/bin']);
	await addTo?.(root);
	const tar = path.join(dir, 'root.tar');
	await run('tar', ['-C', root, '-cf', tar, '.']);
	await docker('import', tar, IMAGE);
}

const isInstalled = (program: string): Promise<boolean> =>
	run('which', [program]).then(
		() => true,
		() => false
	);
