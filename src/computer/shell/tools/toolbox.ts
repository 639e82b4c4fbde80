import type { Bash, CustomCommand } from 'just-bash/browser';
import { runWords } from '../execution/run-words.ts';
import { runSubshell } from '../execution/subshell.ts';
import { Interrupted, type Control } from '../state/control.ts';
import type { Host, Tools } from '../state/host.ts';
import type { Shell } from '../state/shell.ts';
import { OpenFile } from '../streams/open-file.ts';
import { bytesStream, collector } from '../streams/simple-streams.ts';
import { concat, encode, fromLatin1, toLatin1 } from '#computer/process/text.ts';
import { library } from './library.ts';
import { COMMAND_NAMES } from './names.ts';
import { readsInput } from './reads-input.ts';
import { VolumeFileSystem } from './volume-file-system.ts';

const LIMIT_BYTES = 256 * 1_048_576;
const NO_LIMIT = 1_000_000_000;

/** Result of the last call of a bundled command, with the shape of its output. */
interface Outcome {
	stdout: string;
	stderr: string;
	exitCode: number;
	binary: boolean;
}

/**
 * just-bash's commands, each run on its own: the shell gives arguments, input, environment and directory
 * and gets output and status. Its interpreter runs nothing but that one command.
 */
export class Toolbox implements Tools {
	#names = new Set(COMMAND_NAMES);
	#bash: Bash | null = null;
	#current: Shell | null = null;
	#outcomes = new Map<string, Outcome>();
	#count = 0;

	constructor(private readonly host: () => Host) {}

	has(name: string): boolean {
		return this.#names.has(name);
	}

	names(): string[] {
		return [...this.#names];
	}

	async run(shell: Shell, name: string, args: string[]): Promise<number> {
		const input = readsInput(name, args) ? shell.descriptors.get(0) : undefined;
		const stdin = input ? toLatin1(await shell.control.race(input.readAll())) : '';
		const mark = String(++this.#count);
		this.#current = shell;
		const result = await this.#shell().exec(name, {
			args,
			stdin,
			stdinKind: 'bytes',
			cwd: shell.cwd,
			env: { ...shell.environment(), PATH: '/usr/bin', [MARK]: mark },
			replaceEnv: true,
			signal: signalOf(shell.control)
		});
		shell.control.check();
		const outcome = this.#outcomes.get(mark) ?? { ...result, binary: false };
		this.#outcomes.delete(mark);
		const stdout = outcome.binary ? fromLatin1(outcome.stdout) : encode(outcome.stdout);
		if (stdout.length) await shell.descriptors.require(1).write(stdout);
		if (outcome.stderr) await shell.descriptors.get(2)?.write(encode(outcome.stderr));
		return outcome.exitCode;
	}

	#shell(): Bash {
		const host = this.host();
		const { Bash } = library();
		this.#bash ??= new Bash({
			fs: new VolumeFileSystem(
				host.context.sync,
				(name) =>
					this.#names.has(name) || host.programs.has(name) || host.utilities.has(name) || host.builtins.has(name),
				() => 0o666 & ~(this.#current?.umask ?? 0o022)
			),
			cwd: '/',
			defenseInDepth: false,
			customCommands: [...this.#bundled(), ...this.#callbacks(host)],
			executionLimits: {
				maxCommandCount: NO_LIMIT,
				maxLoopIterations: NO_LIMIT,
				maxAwkIterations: NO_LIMIT,
				maxSedIterations: NO_LIMIT,
				maxJqIterations: NO_LIMIT,
				maxWorkUnits: NO_LIMIT,
				maxExecutionTimeMs: NO_LIMIT,
				maxOutputSize: LIMIT_BYTES
			}
		});
		return this.#bash;
	}

	/** The bundled commands again, so that the shape of their output is known: bytes or text. */
	#bundled(): CustomCommand[] {
		return [...this.#names].map((name) =>
			library().defineCommand(name, async (args, context) => {
				if (!context.origCommand) throw new Error(`${name} is not there.`);
				const result = await context.origCommand(args);
				const mark = context.env.get(MARK);
				if (mark) {
					context.env.delete(MARK);
					const binary =
						result.stdoutKind === 'bytes' || (result.stdoutKind === undefined && result.stdoutEncoding === 'binary');
					this.#outcomes.set(mark, { stdout: result.stdout, stderr: result.stderr, exitCode: result.exitCode, binary });
				}
				return result;
			})
		);
	}

	/** Commands that `find -exec` and similar call and only this shell can run. */
	#callbacks(host: Host): CustomCommand[] {
		const names = new Set([
			...host.programs,
			...host.utilities.keys(),
			...['echo', 'printf', 'test', '[', 'true', 'false', 'kill']
		]);
		// What is both keeps just-bash's own for calls from within: it needs no way back.
		for (const name of this.#names) names.delete(name);
		return [...names].map((name) =>
			library().defineCommand(name, async (args, context) => {
				const shell = this.#current;
				if (!shell) throw new Error(`${name} cannot run here.`);
				const out = collector(LIMIT_BYTES);
				const errors = collector(LIMIT_BYTES);
				const exitCode = await runSubshell(shell, async (inner) => {
					inner.cwd = context.cwd;
					inner.descriptors.set(0, new OpenFile(bytesStream(fromLatin1(String(context.stdin)))));
					inner.descriptors.set(1, new OpenFile(out.stream));
					inner.descriptors.set(2, new OpenFile(errors.stream));
					return runWords(inner, [name, ...args], 'functions');
				});
				const stderr = new TextDecoder().decode(concat(errors.pieces));
				return { stdout: toLatin1(concat(out.pieces)), stdoutKind: 'bytes', stderr, exitCode };
			})
		);
	}
}

const MARK = 'SANDGLASS_CALL';

/** An abort signal that looks at the shell's own state: a loop that never yields would never see a real one fire. */
function signalOf(control: Control): AbortSignal {
	const { signal } = new AbortController();
	Object.defineProperties(signal, {
		aborted: { get: () => control.stopped },
		reason: { get: () => new Interrupted(130) }
	});
	return signal;
}
