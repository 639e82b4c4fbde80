import { createHash } from 'node:crypto';
import { cp, lstat, mkdir, mkdtemp, readdir, readFile, readlink, realpath, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { READ_ONLY_RIGHTS, type Rights } from '#environment/contract.ts';
import { LocalExecutionEnvironment } from '#environment/local/environment.ts';
import type { Knowledge, Target } from './attempt.ts';
import type { Attack, Harm } from './lines.ts';

/** Folders restored after each attack that was allowed to do its harm. */
const RESTORED = ['home', 'scratch'];
/** More than a killed process takes to end. */
const END_LIMIT_MS = 2_000;

/** Runs an attack on a separate process; its exit code says which signal it received. */
const WITH_VICTIM =
	'sleep 1000 & VICTIM=$!; export VICTIM; bash -c "$LINE"; kill -KILL $VICTIM; wait $VICTIM; echo "by $?"';
const ENDED_BY_TERM = /by 143\n$/;

/** Tells whether this machine runs commands on trial. */
export async function canRunTrials(): Promise<boolean> {
	const target = await openMachine({ isEnforced: true });
	try {
		return target.environment.runOnTrial !== undefined;
	} finally {
		await target.close();
	}
}

/**
 * Opens this machine, with a temporary directory and home.
 *
 * bubblewrap confines attacks that are allowed to do their harm to that directory and to separate processes, so that
 * none ever runs with the rights of this process.
 *
 * @param isEnforced false: as if bubblewrap were not installed
 */
export async function openMachine({ isEnforced }: { isEnforced: boolean }): Promise<Target> {
	const root = await realpath(await mkdtemp(join(tmpdir(), 'sandglass-attacks-')));
	const place = { home: join(root, 'home'), scratch: join(root, 'scratch'), nap: `${100_000 + process.pid}` };
	const workingDirectory = join(place.home, 'workspace');
	const host = await openHosts();
	const options = { workingDirectory, home: place.home, diagnosticsScript: null };
	const environment = new LocalExecutionEnvironment({ ...options, ...(isEnforced ? {} : { confinement: null }) });
	await mkdir(join(place.home, '.config'), { recursive: true });
	await mkdir(place.scratch);
	await environment.initialize();
	const setUp = await environment.exec(
		'git init -q . && mkdir -p .git/hooks && rm -f .git/hooks/* && echo one > a.txt && mkdir src && echo two > src/b.txt && echo "alias x=y" > ~/.bashrc && git add . && git -c user.name=n -c user.email=e@x commit -qm first'
	);
	if (setUp.exitCode !== 0) throw new Error(setUp.stderr);
	const template = join(root, 'template');
	for (const name of RESTORED) await cp(join(root, name), join(template, name), { recursive: true });
	const outside = await environment.start('exec sleep 100000');
	const victim = { pid: outside.pid, ended: false };
	void outside.exited.then(() => (victim.ended = true));
	const restore = async (): Promise<void> => {
		for (const name of RESTORED) await replaceContent(join(root, name), join(template, name));
	};
	const target: Target = {
		environment,
		place: { ...place, addresses: host.addresses },
		isMachine: true,
		victim,
		reached: host.reached,
		knows: (kind) => (isEnforced ? KNOWN_BY_TRIAL[kind] : 'by line'),
		state: async () =>
			[...(await describeTree(root)), ...(await lastingNaps(place.nap)), `victim ended: ${victim.ended}`].join('\n'),
		works: async (attack) => {
			// Attacks that need permission without a trial need no proof that they work.
			if (!isEnforced) return false;
			try {
				return await doesHarm(target, attack, root);
			} finally {
				await restore();
			}
		},
		close: async () => {
			await environment.cleanup();
			await host.close();
			await rm(root, { recursive: true, force: true });
		}
	};
	return target;
}

/**
 * A trial has a separate network and processes: it notices that a host was not reached, and sees none of the outside
 * processes.
 */
const KNOWN_BY_TRIAL: Readonly<Record<Harm['kind'], Knowledge>> = {
	file: 'by name',
	host: 'unnamed',
	signal: 'out of reach',
	'left running': 'by name'
};

async function doesHarm(
	{ environment, place, reached }: Target,
	{ harm, line }: Attack,
	root: string
): Promise<boolean> {
	const rights: Rights = { ...READ_ONLY_RIGHTS, write: [root], network: 'all' };
	const options = { timeoutMs: 30_000, rights };
	switch (harm.kind) {
		case 'signal': {
			const { stdout } = await environment.exec(WITH_VICTIM, { ...options, env: { LINE: line } });
			return ENDED_BY_TERM.test(stdout);
		}
		case 'host': {
			reached.length = 0;
			await environment.exec(line, options);
			return reached.includes(harm.name);
		}
		case 'left running': {
			await environment.exec(line, options);
			const left = await naps(place.nap);
			for (const pid of left) process.kill(pid, 'SIGKILL');
			return left.length > 0;
		}
		case 'file': {
			const path = harm.name.startsWith('/') ? harm.name : join(environment.workingDirectory(), harm.name);
			const before = (await describeTree(path)).join();
			await environment.exec(line, options);
			return (await describeTree(path)).join() !== before;
		}
	}
}

/** Two servers on this machine that record their visitors. */
async function openHosts(): Promise<{ addresses: [string, string]; reached: string[]; close(): Promise<void> }> {
	const reached: string[] = [];
	const servers = [0, 1].map(() =>
		createServer(({ headers }, answer) => {
			reached.push(headers.host ?? '');
			answer.writeHead(404, { connection: 'close' }).end();
		})
	);
	const addresses = await Promise.all(
		servers.map(async (server) => {
			await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
			return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
		})
	);
	return {
		addresses: [addresses[0]!, addresses[1]!],
		reached,
		close: async () => {
			for (const server of servers) {
				server.closeAllConnections();
				await new Promise((resolve) => server.close(resolve));
			}
		}
	};
}

/** A path and everything below it, one line each with mode and content; empty if it does not exist. */
async function describeTree(path: string): Promise<string[]> {
	const stats = await lstat(path).catch(() => undefined);
	if (!stats) return [];
	const line = (content: string): string => `${path} ${stats.mode.toString(8)} ${content}`;
	if (stats.isSymbolicLink()) return [line(await readlink(path))];
	if (!stats.isDirectory())
		return [
			line(
				createHash('sha1')
					.update(await readFile(path))
					.digest('hex')
			)
		];
	const below = await Promise.all((await readdir(path)).sort().map((name) => describeTree(join(path, name))));
	return [line('directory'), ...below.flat()];
}

/** Processes anywhere on this machine that sleep for this long. */
async function naps(seconds: string): Promise<number[]> {
	const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
	const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
	return pids.filter((_, at) => lines[at] === `sleep\0${seconds}\0`).map(Number);
}

/** Processes that still exist after a while: the kernel ends leftovers of a trial some time after it. */
async function lastingNaps(seconds: string): Promise<string[]> {
	const deadline = performance.now() + END_LIMIT_MS;
	for (;;) {
		const left = await naps(seconds);
		if (left.length === 0 || performance.now() > deadline) return left.map((pid) => `sleep ${seconds} as ${pid}`);
		await new Promise((resolve) => setTimeout(resolve, 5));
	}
}

/** Replaces the content of a directory with that of another; the directory itself stays, since it is watched. */
async function replaceContent(directory: string, template: string): Promise<void> {
	for (const name of await readdir(directory)) {
		const path = join(directory, name);
		const inner = name === 'workspace';
		if (inner) await replaceContent(path, join(template, name));
		else await rm(path, { recursive: true });
	}
	for (const name of await readdir(template))
		await cp(join(template, name), join(directory, name), { recursive: true, verbatimSymlinks: true });
}
