import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { z } from 'zod';

const run = promisify(execFile);
const USER = '61000';
/** Switches to an ordinary user without capabilities, as a runtime does. */
const UNPRIVILEGED = [
	...['setpriv', '--reuid', USER, '--regid', USER, '--clear-groups', '--no-new-privs'],
	...['--inh-caps=-all', '--bounding-set=-all', '--']
];
const START_MS = 20_000;

/** Container of a pod, as far as the stand-in supports it. */
export interface PodContainer {
	command: string[];
	env: Record<string, string>;
	workingDir: string;
	/** Directories in memory, with their sizes in bytes. */
	mounts: { path: string; size: string }[];
}

/** Returns why processes cannot be confined here as in a pod. */
export async function noPods(): Promise<string | undefined> {
	if (process.getuid?.() !== 0) return 'entering the namespaces of a process needs root';
	for (const program of ['bwrap', 'nsenter', 'setpriv', 'setsid'])
		if (!(await run('which', [program]).catch(() => undefined))) return `${program} is not installed`;
	const works = await run('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true']).catch((error: unknown) => error);
	return works instanceof Error ? 'bwrap cannot make namespaces here' : undefined;
}

/** Processes of this computer in separate namespaces, with files in memory: what a node makes of a pod. */
export class ConfinedPod {
	/** Functions that end the stream carriers of each program started in addition to the container's own. */
	readonly carriers = new Set<() => void>();
	#stopped: Promise<void> | undefined;

	private constructor(
		private readonly child: ChildProcess,
		private readonly processId: number,
		private readonly container: PodContainer
	) {}

	static async start(container: PodContainer): Promise<ConfinedPod> {
		const [program = '', ...args] = [
			...['bwrap', '--unshare-pid', '--unshare-net', '--unshare-ipc', '--unshare-uts', '--as-pid-1'],
			...['--die-with-parent', '--info-fd', '3', '--proc', '/proc', '--dev', '/dev'],
			...['--ro-bind', '/usr', '/usr', '--ro-bind', '/etc', '/etc'],
			...['bin', 'lib', 'lib64'].flatMap((name) => ['--symlink', `usr/${name}`, `/${name}`]),
			...container.mounts.flatMap(({ path, size }) => ['--perms', '1777', '--size', size, '--tmpfs', path]),
			...['--remount-ro', '/', '--clearenv', '--setenv', 'PATH', '/usr/bin'],
			...['--chdir', container.workingDir, '--', ...UNPRIVILEGED, ...container.command]
		];
		const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit', 'pipe'] });
		const about = await firstObject(child.stdio[3] as Readable);
		const { 'child-pid': processId } = z.object({ 'child-pid': z.number() }).parse(JSON.parse(about));
		await whenItRuns(processId, container.command);
		return new ConfinedPod(child, processId, container);
	}

	/** Words that start a program in addition to the container's own, with or without a separate terminal. */
	words(argv: readonly string[], isTerminal: boolean): string[] {
		const variables = Object.entries(this.container.env).map(([name, value]) => `${name}=${value}`);
		return [
			...['nsenter', '-t', String(this.processId), '-m', '-p', '-n', '-i', '-u'],
			`--wdns=${this.container.workingDir}`,
			...(isTerminal ? ['setsid', '--ctty', '--wait'] : []),
			...[...UNPRIVILEGED, 'env', '-i', 'PATH=/usr/bin', 'LANG=C.UTF-8', ...variables, ...argv]
		];
	}

	stop(): Promise<void> {
		this.#stopped ??= this.#stop();
		return this.#stopped;
	}

	async #stop(): Promise<void> {
		if (this.child.exitCode !== null || this.child.signalCode !== null) return;
		const ended = new Promise((resolve) => this.child.once('exit', resolve));
		// Without process 1, its whole namespace ends.
		process.kill(this.processId, 'SIGKILL');
		// A carrier that is stopped with its program would keep the namespace from ending.
		for (const end of this.carriers) end();
		await ended;
	}
}

/** Its process id is known before its files are in place. */
async function whenItRuns(processId: number, command: readonly string[]): Promise<void> {
	const wanted = `${command.join('\0')}\0`;
	const until = Date.now() + START_MS;
	while ((await readFile(`/proc/${processId}/cmdline`, 'utf8')) !== wanted) {
		if (Date.now() > until) throw new Error('The processes of a pod did not start.');
		await new Promise((resolve) => setTimeout(resolve, 10));
	}
}

/** Reads up to the end of the first object. */
async function firstObject(stream: Readable): Promise<string> {
	let text = '';
	for await (const chunk of stream) {
		text += String(chunk);
		if (text.includes('}')) return text;
	}
	throw new Error(`bwrap did not start: ${text}`);
}
