import { reason } from '#computer/shell/execution/redirections.ts';
import type { WireDirent, WireStat } from '#computer/abi/syscalls.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { isAffirmed } from '../question.ts';
import { UsageError, utility, type Options } from '../options.ts';
import { shellEscapedAlways as quoted } from '../shell-escape.ts';
import { joined, lastName } from './target.ts';

const SPECIFICATION =
	'r|R|recursive f|force d|dir v|verbose i I interactive=? one-file-system preserve-root=? no-preserve-root -presume-input-tty';
const WHEN: Record<string, 'never' | 'once' | 'always'> = {
	...{ never: 'never', no: 'never', none: 'never', once: 'once', always: 'always', yes: 'always' }
};
/** Operands that `-I` removes without a question. */
const MOST_UNASKED = 3;

/** `rm`. A link is itself, wherever it leads. */
export const rm = utility(SPECIFICATION, async (call, options) => {
	const interactive = interactivity(options);
	const { operands } = options;
	if (operands.length === 0) {
		if (options.last('f', 'i', 'I', 'interactive') === 'f') return 0;
		throw new UsageError('missing operand');
	}
	if (interactive === 'once' && (options.has('r') || operands.length > MOST_UNASKED)) {
		const count = `${operands.length} argument${operands.length === 1 ? '' : 's'}`;
		if (!(await isAffirmed(call, `remove ${count}${options.has('r') ? ' recursively' : ''}? `))) return 0;
	}
	const removal = new Removal(call, options, interactive === 'always');
	for (const name of operands) await removal.removeOperand(name);
	return removal.status;
});

/** @throws UsageError */
function interactivity(options: Options): 'never' | 'once' | 'always' {
	let when: 'never' | 'once' | 'always' = 'never';
	for (const { name, value } of options.given) {
		if (name === 'i') when = 'always';
		if (name === 'I') when = 'once';
		if (name === 'f') when = 'never';
		if (name !== 'interactive') continue;
		const found = Object.keys(WHEN).filter((word) => word.startsWith(value || 'always'));
		const meanings = new Set(found.map((word) => WHEN[word]));
		if (meanings.size !== 1)
			throw new UsageError(
				`${meanings.size ? 'ambiguous' : 'invalid'} argument '${value}' for '--interactive'\nValid arguments are:\n` +
					"  - 'never', 'no', 'none'\n  - 'once'\n  - 'always', 'yes'",
				true
			);
		[when = 'never'] = [...meanings];
	}
	return when;
}

class Removal {
	status = 0;

	#complaints = 0;

	constructor(
		private readonly call: Call,
		private readonly options: Options,
		private readonly asks: boolean
	) {}

	get #sync() {
		return this.call.shell.host.context.sync;
	}

	async #complain(text: string): Promise<false> {
		this.#complaints++;
		await this.call.complain(text);
		this.status = 1;
		return false;
	}

	async removeOperand(operand: string): Promise<void> {
		const name = operand.replace(/\/+$/, '/');
		const isRecursive = this.options.has('r');
		if (isRecursive && /^\.{1,2}$/.test(lastName(name))) {
			await this.#complain(`refusing to remove '.' or '..' directory: skipping ${quoted(name)}`);
			return;
		}
		const path = this.call.shell.path(name);
		const keepsRoot = this.options.last('preserve-root', 'no-preserve-root') !== 'no-preserve-root';
		if (isRecursive && path === '/' && name !== '' && keepsRoot) {
			const alias = /^\/$/.test(name) ? '' : " (same as '/')";
			await this.#complain(`it is dangerous to operate recursively on ${quoted(name)}${alias}`);
			await this.#complain('use --no-preserve-root to override this failsafe');
			return;
		}
		let stat: WireStat;
		try {
			if (name === '') throw Object.assign(new Error(), { code: 'ENOENT' });
			stat = this.#sync.lstat(path);
			if (name.endsWith('/') && stat.kind !== 'directory') throw Object.assign(new Error(), { code: 'ENOTDIR' });
		} catch (error) {
			const isMissing = /^(?:No such file|Not a directory)/.test(reason(error));
			if (!isMissing || !this.options.has('f')) await this.#complain(`cannot remove ${quoted(name)}: ${reason(error)}`);
			return;
		}
		await this.#remove(name, path, stat);
	}

	/** Returns whether it is gone. */
	async #remove(name: string, path: string, stat: WireStat): Promise<boolean> {
		if (stat.kind === 'directory') return this.#removeDirectory(name, path, stat);
		if (!(await this.#mayRemove(`remove ${this.#protection(stat)}${kindOf(stat)} ${quoted(name)}? `, stat)))
			return false;
		try {
			this.#sync.unlink(path);
		} catch (error) {
			return this.#complain(`cannot remove ${quoted(name)}: ${reason(error)}`);
		}
		if (this.options.has('v')) await this.call.out(`removed ${quoted(name)}\n`);
		return true;
	}

	async #removeEntry(name: string, path: string): Promise<void> {
		let stat: WireStat;
		try {
			stat = this.#sync.lstat(path);
		} catch (error) {
			await this.#complain(`cannot remove ${quoted(name)}: ${reason(error)}`);
			return;
		}
		await this.#remove(name, path, stat);
	}

	async #removeDirectory(name: string, path: string, stat: WireStat): Promise<boolean> {
		const isRecursive = this.options.has('r');
		let entries: WireDirent[];
		try {
			entries = this.#sync.readdir(path);
		} catch (error) {
			// One that cannot be listed can be removed if it is empty.
			const mayBeEmpty = isRecursive || this.options.has('d');
			if (mayBeEmpty && (await this.#hasRemovedEmpty(name, path))) return true;
			return this.#complain(`cannot remove ${quoted(name)}: ${reason(error)}`);
		}
		if (!isRecursive && !(this.options.has('d') && entries.length === 0)) {
			const why = this.options.has('d') ? 'Directory not empty' : 'Is a directory';
			return this.#complain(`cannot remove ${quoted(name)}: ${why}`);
		}
		if (isRecursive && !this.asks && !this.options.has('v') && this.#hasRemovedTree(path)) return true;
		const protection = this.#protection(stat);
		if (entries.length > 0) {
			if (!(await this.#mayRemove(`descend into ${protection}directory ${quoted(name)}? `, stat))) return false;
			const complaints = this.#complaints;
			for (const entry of entries) {
				const inner = joined(path, entry.name);
				await this.#removeEntry(joined(name, entry.name), inner);
			}
			// What is left of it was reported.
			if (this.#complaints > complaints) return false;
		}
		if (!(await this.#mayRemove(`remove ${protection}directory ${quoted(name)}? `, stat))) return false;
		try {
			this.#sync.rmdir(path);
		} catch (error) {
			return this.#complain(`cannot remove ${quoted(name)}: ${reason(error)}`);
		}
		if (this.options.has('v')) await this.call.out(`removed directory ${quoted(name)}\n`);
		return true;
	}

	async #hasRemovedEmpty(name: string, path: string): Promise<boolean> {
		try {
			this.#sync.rmdir(path);
		} catch {
			// The reason why it cannot be listed says more.
			return false;
		}
		if (this.options.has('v')) await this.call.out(`removed directory ${quoted(name)}\n`);
		return true;
	}

	/** Removes a tree in one step. False where that is not permitted for all of it, and nothing is removed. */
	#hasRemovedTree(path: string): boolean {
		try {
			this.#sync.remove(path, { recursive: true });
			return true;
		} catch {
			// Entry by entry, what can be removed is, and the others are reported.
			return false;
		}
	}

	#protection({ mode, kind }: WireStat): string {
		return kind !== 'symlink' && (mode & 0o200) === 0 ? 'write-protected ' : '';
	}

	/** Asks where `-i` says so, and about a protected file at a terminal. */
	async #mayRemove(question: string, stat: WireStat): Promise<boolean> {
		const isProtected = this.#protection(stat) !== '' && this.options.last('f', 'i') !== 'f' && this.#hasTerminal();
		return !(this.asks || isProtected) || isAffirmed(this.call, question);
	}

	#hasTerminal(): boolean {
		const kernel = this.call.shell.descriptors.get(0)?.kernel;
		return this.options.has('-presume-input-tty') || (kernel !== undefined && this.#sync.isTerminal(kernel));
	}
}

function kindOf({ kind, size }: WireStat): string {
	if (kind === 'symlink') return 'symbolic link';
	if (kind === 'fifo') return 'fifo';
	return size === 0 ? 'regular empty file' : 'regular file';
}
