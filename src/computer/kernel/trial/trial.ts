import type { Effects, Rights, TrialMerge } from '#environment/contract.ts';
import type { StartOptions, ToPage } from '#computer/abi/protocol.ts';
import { errno } from '#computer/abi/errno.ts';
import { VolumeClone } from '#computer/volume/clone.ts';
import { KernelComputer } from '../kernel-computer.ts';
import type { Outside } from '../outside.ts';
import { PageSessions } from '../port/page-sessions.ts';
import { hostOf, mayReach } from '../rights/rights.ts';
import { applyEffects } from './apply.ts';
import { ChangedFiles, entryAt } from './changed-files.ts';
import { isScratch } from './scratch.ts';
import type { TemporaryFiles } from './temporary-files.ts';
import { TrialPorts } from './trial-ports.ts';
import { TrialTable } from './trial-table.ts';

/** Time without output after which a command that listens on a port counts as a permanent server. */
const QUIET_SERVER_MS = 3_000;
/** The same for a command that keeps printing. */
const SERVER_MS = 20_000;
/** Time that processes may outlive their command before they count as left running. */
const LINGER_MS = 150;

const isLasting = ({ path }: { path: string }): boolean => !isScratch(path);

/** One command on a throwaway copy of a computer: its own files, processes and ports. */
export class Trial {
	readonly sessions: PageSessions;
	readonly pid: number;
	readonly #before: VolumeClone;
	readonly #after: VolumeClone;
	readonly #computer: KernelComputer;
	readonly #table: TrialTable;
	readonly #ports: TrialPorts;
	readonly #files: ChangedFiles;
	readonly #hosts = new Set<string>();
	#servers: number[] = [];
	#serverTimers: Partial<Record<'quiet' | 'total', ReturnType<typeof setTimeout>>> = {};

	/**
	 * Starts the command.
	 *
	 * @param post sends output and end to the page
	 * @param rights hosts it may reach; files and signals stay inside in any case
	 * @param temporary stored files of `/tmp` that it sees, and that receive the ones it leaves
	 * @throws errors of starting a process
	 */
	constructor(
		private readonly base: KernelComputer,
		post: (message: ToPage) => void,
		options: StartOptions,
		rights: Rights,
		private readonly temporary: TemporaryFiles
	) {
		this.#before = new VolumeClone(base.volume);
		this.#after = new VolumeClone(base.volume);
		for (const volume of [this.#before, this.#after]) temporary.writeInto(volume);
		this.#files = new ChangedFiles(this.#before, this.#after);
		this.#table = new TrialTable(base.table);
		this.#ports = new TrialPorts(base.ports, rights, this.#hosts);
		const parts = { table: this.#table, ports: this.#ports };
		const { programs, pool, doorbell } = base;
		this.#computer = new KernelComputer(this.#after, programs, pool, this.#outside(rights), doorbell, parts);
		this.#ports.onChange = () => this.#watchServers();
		this.sessions = new PageSessions(this.#computer, (message) => {
			if (message.type === 'output') this.#restartQuiet();
			if (message.type === 'ended') this.#ended();
			post(message);
		});
		try {
			this.pid = this.sessions.start(options);
		} catch (error) {
			this.discard();
			throw error;
		}
	}

	/** Effects and refusals of the command. Ends all processes it has left running. */
	async effects(): Promise<Effects> {
		const end = performance.now() + LINGER_MS;
		while (this.#table.own().length > 0 && performance.now() < end)
			await new Promise((resolve) => setTimeout(resolve, LINGER_MS / 10));
		const leftRunning = this.#table.own().map(({ argv }) => argv.join(' '));
		this.#table.killAll();
		const changed = this.#files.all();
		this.temporary.record(changed, this.#after);
		return {
			files: changed.filter(isLasting),
			hosts: [...this.#hosts].sort(),
			servers: this.#servers,
			signals: [...this.#table.refused],
			leftRunning: this.#servers.length > 0 ? [] : leftRunning,
			unnamed: false
		};
	}

	/** Bytes of a file, or the target of a link. @throws ENOENT */
	read(path: string, side: 'before' | 'after'): Uint8Array {
		const entry = entryAt(side === 'before' ? this.#before : this.#after, path);
		if (!entry) throw errno('ENOENT', path);
		return entry.bytes;
	}

	apply(): TrialMerge {
		const [before, after, target] = [this.#before, this.#after, this.base.volume];
		return applyEffects(this.#files.all().filter(isLasting), { before, after, target });
	}

	/** Ends the remaining processes and frees the copies. */
	discard(): void {
		this.#stopWatching();
		this.#table.killAll();
		this.#before.release();
		this.#after.release();
	}

	#outside(rights: Rights): Outside {
		const { outside } = this.base;
		return {
			...outside,
			preview: () => Promise.reject(errno('EACCES', undefined, 'the preview is not used: the command runs on trial')),
			fetch: (request) => {
				const host = hostOf(request.url);
				if (mayReach(rights, host)) return outside.fetch(request);
				this.#hosts.add(host);
				const message = `${host} was not reached: the command runs on trial, without the network`;
				return Promise.reject(errno('ECONNREFUSED', undefined, message));
			}
		};
	}

	#watchServers(): void {
		if (this.#ports.own().length === 0) return this.#stopWatching();
		if (this.#serverTimers.total !== undefined) return;
		this.#serverTimers.total = setTimeout(() => this.#stopServer(), SERVER_MS);
		this.#serverTimers.quiet = setTimeout(() => this.#stopServer(), QUIET_SERVER_MS);
	}

	#restartQuiet(): void {
		if (this.#serverTimers.quiet === undefined) return;
		clearTimeout(this.#serverTimers.quiet);
		this.#serverTimers.quiet = setTimeout(() => this.#stopServer(), QUIET_SERVER_MS);
	}

	#stopWatching(): void {
		clearTimeout(this.#serverTimers.total);
		clearTimeout(this.#serverTimers.quiet);
		this.#serverTimers = {};
	}

	/** Stops a command that serves and does not end: its effects are known by now. */
	#stopServer(): void {
		this.#noteServers();
		this.#table.killAll();
	}

	#ended(): void {
		this.#noteServers();
		this.#stopWatching();
	}

	#noteServers(): void {
		const ports = this.#ports.own().map(({ port }) => port);
		this.#servers = [...new Set([...this.#servers, ...ports])].sort((a, b) => a - b);
	}
}
