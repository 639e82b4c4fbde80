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
 * Some pass the following words on unchanged; `ssh` joins them to one line, which a shell parses again. {@link open}
 * detects this, so that callers need not specify it.
 */
export class Prefix {
	/** Printed to both outputs of every script before its own output. */
	readonly beginning = `sandglass-begin-${randomUUID()}\n`;

	private constructor(
		private readonly channel: ExecChannel,
		/** Number of shells that parse the words after the prefix. */
		private readonly levels: number
	) {}

	/** @throws EnvironmentError `EUNAVAILABLE` if nothing can be run behind it */
	static async open(prefix: readonly string[] | ExecChannel): Promise<Prefix> {
		if ('length' in prefix && !prefix[0]) throw new EnvironmentError('EUNAVAILABLE', 'The command prefix is empty.');
		const channel = 'open' in prefix ? prefix : spawnedChannel(prefix);
		// Each shell that parses it halves the number of backslashes.
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

	/**
	 * Starts a POSIX sh script on the other side with the arguments `$1`, `$2` …; its output follows {@link beginning}.
	 */
	run(script: string, args: readonly string[] = []): ExecProcess {
		const mark = shellWord(this.beginning);
		const prologue = `printf %s ${mark}; printf %s ${mark} >&2; SHLVL=${SHELL_LEVEL['SHLVL']}; export SHLVL\n${script}`;
		return this.channel.open(this.#quoted(['sh', '-c', prologue, 'sh', ...args]));
	}

	/** Starts a script on a remote terminal device; `undefined` if there is none. */
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
