import { randomUUID } from 'node:crypto';
import type { TerminalSize } from '../contract.ts';
import { EnvironmentError } from '../errors.ts';
import { SHELL_LEVEL } from '../shell-start.ts';
import { shellWord } from '../shell-word.ts';
import { collected } from './collected.ts';
import { spawnedChannel, type ExecChannel, type ExecProcess, type ExecTerminal } from './exec-channel.ts';

/** Maximum number of shells that parse a prefix's words: `ssh a ssh b docker exec c` does so twice. */
const MAX_LEVELS = 3;

/**
 * The words in front of every command: `docker exec -i box`, `kubectl exec -i pod --`, `ssh host`.
 *
 * Some hand on the words behind them as they are; `ssh` makes one line of them, which a shell reads again.
 * {@link open} finds out which, so that callers need not say.
 */
export class Prefix {
	/** Printed to both outputs of every script before its own output. */
	readonly beginning = `sandglass-begin-${randomUUID()}\n`;

	private constructor(
		private readonly channel: ExecChannel,
		/** Number of shells that parse the words after the prefix. */
		private readonly levels: number
	) {}

	/** @throws EnvironmentError `EUNAVAILABLE` when nothing can be run behind it */
	static async open(prefix: readonly string[] | ExecChannel): Promise<Prefix> {
		if ('length' in prefix && !prefix[0]) throw new EnvironmentError('EUNAVAILABLE', 'The command prefix is empty.');
		const channel = 'open' in prefix ? prefix : spawnedChannel(prefix);
		// Each shell that reads it leaves half of the backslashes.
		const count = 2 ** MAX_LEVELS;
		const { stdout, stderr, code } = await collected(channel.open(['printf', '%s', `x${'\\'.repeat(count)}y`]));
		const left = /x(\\+)y$/.exec(stdout)?.[1]?.length;
		if (code !== 0 || left === undefined)
			throw new EnvironmentError(
				'EUNAVAILABLE',
				`Nothing can be run through "${channel.name}": ${stderr.trim() || `it ended with ${code}`}`
			);
		return new Prefix(channel, Math.log2(count / left));
	}

	/** Starts a script of POSIX sh over there, with its `$1`, `$2` …; what it prints is behind {@link beginning}. */
	run(script: string, args: readonly string[] = []): ExecProcess {
		const mark = shellWord(this.beginning);
		const prologue = `printf %s ${mark}; printf %s ${mark} >&2; SHLVL=${SHELL_LEVEL['SHLVL']}; export SHLVL\n${script}`;
		return this.channel.open(this.#quoted(['sh', '-c', prologue, 'sh', ...args]));
	}

	/** Starts a script on a terminal device over there; `undefined` where there is none to be had. */
	openTerminal(script: string, args: readonly string[], size: TerminalSize): ExecTerminal | undefined {
		return this.channel.openTerminal?.(this.#quoted(['sh', '-c', script, 'sh', ...args]), size);
	}

	#quoted(words: readonly string[]): string[] {
		return words.map((word) => {
			let quoted = word;
			for (let level = 0; level < this.levels; level++) quoted = shellWord(quoted);
			return quoted;
		});
	}
}
