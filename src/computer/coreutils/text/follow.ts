import type { WireStat } from '#computer/abi/syscalls.ts';
import { SyscallError } from '#computer/abi/client.ts';
import { reason } from '#computer/shell/execution/redirections.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { BrokenPipe, type OpenFile } from '#computer/shell/streams/open-file.ts';
import { quoted } from '../quoting.ts';

/** Longest time between two checks. */
const MOST_WAIT_MS = 200;

export interface FollowManner {
	/** Set if the name is followed, whatever file it refers to; otherwise the file, whatever its name. */
	byName: boolean;
	/** Retries to open a file that cannot be opened. */
	retries: boolean;
	/** Stops when all of these processes have ended. */
	pids: readonly number[];
	waitMs: number;
}

/** An operand being followed. */
interface Followed {
	name: string;
	path: string;
	/** Inode of the file; null if there is none. */
	inode: number | null;
	/** Number of bytes shown. */
	offset: number;
	/** Reason why there is no file. */
	fault: string | null;
	/** Set if the name last referred to a file that can be followed. */
	isTailable: boolean;
	isIgnored: boolean;
	/** Standard input, which is read further instead of checked. */
	input: OpenFile | null;
}

const UNTAILABLE = 'untailable';
/** Error for a name that does not exist. */
const ABSENT = 'No such file or directory';

/** `tail -f`: shows what is appended to files until the command is stopped or nothing is left to follow. */
export class Follower {
	#files: Followed[] = [];
	#lastShown: string | undefined;

	/** @param showHeader writes the header that names a file, if names are shown */
	constructor(
		private readonly call: Call,
		private readonly manner: FollowManner,
		private readonly showHeader: (name: string) => Promise<void>
	) {}

	/** Adds an operand that was read up to `offset`. */
	add(name: string, offset: number, input: OpenFile | null): void {
		const path = this.call.shell.path(name);
		const inode = input ? null : (this.#look(path)?.inode ?? null);
		// A pipe has already ended.
		const isIgnored = input !== null && input.stream.isKnown !== true;
		this.#files.push({ name, path, inode, offset, fault: null, isTailable: true, isIgnored, input });
		this.#lastShown = name;
	}

	/** Adds an operand that could not be read; the error was reported. */
	async addFailed(name: string): Promise<void> {
		const path = this.call.shell.path(name);
		const isIgnored = !this.manner.retries;
		const isUntailable = name !== '-' && this.#look(path)?.kind === 'directory';
		const fault = isUntailable ? UNTAILABLE : ABSENT;
		const isTailable = isIgnored && !isUntailable;
		this.#files.push({ name, path, inode: null, offset: 0, fault, isTailable, isIgnored, input: null });
		if (!isUntailable) return;
		const end = isIgnored ? '; giving up on this name' : '';
		await this.call.complain(`${name}: cannot follow end of this type of file${end}`);
	}

	/** Follows until nothing is left. Returns the exit status. */
	async run(status: number): Promise<number> {
		if (this.#files.every(({ isIgnored }) => isIgnored)) {
			if (this.#files.some(({ input }) => !input)) await this.call.complain('no files remaining');
			return status;
		}
		for (;;) {
			const isLast = this.manner.pids.length > 0 && !this.manner.pids.some((pid) => isAlive(this.call, pid));
			for (const file of this.#files) if (!file.isIgnored) await this.#see(file);
			if (isLast) return status;
			// Otherwise it would only be noticed at the next line, which may never come.
			if (this.call.shell.descriptors.get(1)?.stream.isBroken?.()) throw new BrokenPipe();
			if (!this.#isAnyLeft()) {
				await this.call.complain('no files remaining');
				return 1;
			}
			await this.#wait();
		}
	}

	async #wait(): Promise<void> {
		let timer: ReturnType<typeof setTimeout> | undefined;
		const waitMs = Math.min(this.manner.waitMs, MOST_WAIT_MS);
		try {
			await this.call.shell.control.race(new Promise<void>((resolve) => (timer = setTimeout(resolve, waitMs))));
		} finally {
			clearTimeout(timer);
		}
	}

	#isAnyLeft(): boolean {
		const { byName, retries } = this.manner;
		if (byName && retries) return true;
		return this.#files.some((file) => !file.isIgnored && (file.inode !== null || file.input || retries));
	}

	/** Shows what was appended to a file since the last check. */
	async #see(file: Followed): Promise<void> {
		if (file.input) return this.#readOn(file, file.input);
		if (this.manner.byName || file.inode === null) await this.#check(file);
		else this.#findAgain(file);
		const stat = file.inode === null ? null : this.#look(file.path);
		if (!stat || stat.inode !== file.inode) return;
		if (stat.size < file.offset) {
			await this.call.complain(`${file.name}: file truncated`);
			file.offset = 0;
		}
		if (stat.size > file.offset)
			await this.#show(
				file,
				this.call.shell.host.context.sync.readFile(file.path, file.offset, stat.size - file.offset)
			);
	}

	async #readOn(file: Followed, input: OpenFile): Promise<void> {
		for (;;) {
			const bytes = await this.call.shell.control.race(input.read(65_536));
			if (bytes.length === 0) return;
			await this.#show(file, bytes);
		}
	}

	async #show(file: Followed, bytes: Uint8Array): Promise<void> {
		if (this.#lastShown !== file.name) await this.showHeader(file.name);
		this.#lastShown = file.name;
		file.offset += bytes.length;
		await this.call.shell.descriptors.require(1).write(bytes);
	}

	/** Checks which file a name refers to now, and reports changes. */
	async #check(file: Followed): Promise<void> {
		const { byName, retries } = this.manner;
		const shown = quoted(file.name, 'shell-escape-always');
		const [wasTailable, before] = [file.isTailable, file.fault];
		const stat = this.#look(file.path);
		file.isTailable = stat !== null || !retries;
		if (stat?.kind === 'file') {
			file.fault = null;
			if (stat.inode === file.inode) return;
			const isBack = before !== null && before !== ABSENT;
			const what = isBack
				? 'become accessible'
				: `${file.inode === null ? 'appeared' : 'been replaced'};  following new file`;
			await this.call.complain(`${shown} has ${what}`);
			[file.inode, file.offset] = [stat.inode, 0];
			return;
		}
		file.inode = null;
		file.fault = stat ? UNTAILABLE : ABSENT;
		if (stat) {
			file.isTailable = false;
			file.isIgnored = !(retries && byName);
			if (wasTailable || before !== file.fault)
				await this.call.complain(
					`${shown} has been replaced with an untailable file${file.isIgnored ? '; giving up on this name' : ''}`
				);
		} else if (retries ? wasTailable : before !== file.fault)
			await this.call.complain(retries ? `${shown} has become inaccessible: ${ABSENT}` : `${file.name}: ${ABSENT}`);
	}

	/** Descriptors cannot stay open here: a renamed file is found by its inode in the same directory. */
	#findAgain(file: Followed): void {
		if (this.#look(file.path)?.inode === file.inode) return;
		const directory = file.path.replace(/\/[^/]*$/, '') || '/';
		if (this.#look(directory)?.kind !== 'directory') return;
		const below = directory === '/' ? '' : directory;
		const path = this.call.shell.host.context.sync
			.readdir(directory)
			.map(({ name }) => `${below}/${name}`)
			.find((path) => this.#look(path)?.inode === file.inode);
		if (path !== undefined) file.path = path;
	}

	#look(path: string): WireStat | null {
		return this.call.shell.host.context.sync.statOrNull(path);
	}
}

/** Returns whether a process, or a job of the shell without one, is running. */
function isAlive(call: Call, pid: number): boolean {
	const { background, context } = call.shell.host;
	if ([...background].some((job) => job.pid === pid && job.status === null)) return true;
	try {
		context.sync.kill(pid, 0);
		return true;
	} catch (error) {
		if (!(error instanceof SyscallError)) throw error;
		return reason(error) !== 'No such process';
	}
}
