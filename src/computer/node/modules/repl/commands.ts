import { functionValue } from '../../runtime/validate.ts';
/** Parts of a prompt that commands use. */
export interface CommandedPrompt {
	readonly useGlobal: boolean;
	readonly terminal: boolean;
	readonly commands: Record<string, Command>;
	readonly lines: readonly string[];
	print(text: string): void;
	displayPrompt(): void;
	clearBufferedCommand(): void;
	resetContext(): void;
	startEditing(): void;
	enter(text: string): void;
	close(): void;
}

/** Command behind a dot, called on the prompt. */
export interface Command {
	help?: string;
	action(this: CommandedPrompt, rest: string): void;
}

/**
 * Checks a command that a program defines: a function, or an object with help for `.help`.
 * @throws ERR_INVALID_ARG_TYPE
 */
export function commandOf(given: unknown): Command {
	if (typeof given === 'function') return { action: given as Command['action'] };
	const command = Object(given) as Command;
	functionValue(command.action, 'cmd.action');
	return command;
}

/** Files of `.save` and `.load`. */
export interface SessionFiles {
	write(path: string, text: string): void;
	/** @returns null if it is no file */
	read(path: string): string | null;
}

const MISSING = 'The "file" argument must be specified';

/** Commands that every prompt has; `.editor` only where keys are read. */
export function standardCommands(repl: CommandedPrompt, files: SessionFiles): Record<string, Command> {
	const commands: Record<string, Command> = {
		break: {
			help: 'Sometimes you get stuck, this gets you out',
			action() {
				this.clearBufferedCommand();
				this.displayPrompt();
			}
		},
		clear: {
			help: repl.useGlobal ? 'Alias for .break' : 'Break, and also clear the local context',
			action() {
				this.clearBufferedCommand();
				if (!this.useGlobal) {
					this.print('Clearing context...\n');
					this.resetContext();
				}
				this.displayPrompt();
			}
		},
		exit: {
			help: 'Exit the REPL',
			action() {
				this.close();
			}
		},
		help: { help: 'Print this help message', action: printHelp },
		save: { help: 'Save all evaluated commands in this REPL session to a file', action: save },
		load: { help: 'Load JS from a file into the REPL session', action: load }
	};
	function save(this: CommandedPrompt, file: string): void {
		this.print(saved(file, () => files.write(file, this.lines.join('\n'))));
		this.displayPrompt();
	}
	function load(this: CommandedPrompt, file: string): void {
		const problem = loaded(
			file,
			() => files.read(file),
			(text) => this.enter(text)
		);
		if (problem !== null) this.print(problem);
		this.displayPrompt();
	}
	if (repl.terminal) {
		commands['editor'] = {
			help: 'Enter editor mode',
			action() {
				this.startEditing();
				this.print('// Entering editor mode (Ctrl+D to finish, Ctrl+C to cancel)\n');
			}
		};
	}
	return commands;
}

function printHelp(this: CommandedPrompt): void {
	const names = Object.keys(this.commands).sort();
	const width = Math.max(...names.map((name) => name.length)) + 3;
	for (const name of names) {
		const help = this.commands[name]?.help;
		this.print(`.${help ? name.padEnd(width) + help : name}\n`);
	}
	this.print('\nPress Ctrl+C to abort current expression, Ctrl+D to exit the REPL\n');
	this.displayPrompt();
}

/** @returns the message of `.save` */
function saved(file: string, write: () => void): string {
	if (file === '') return `${MISSING}\n`;
	try {
		write();
		return `Session saved to: ${file}\n`;
	} catch {
		// The message is all that the prompt shows of it.
		return `Failed to save: ${file}\n`;
	}
}

/** @returns why `.load` failed */
function loaded(file: string, read: () => string | null, enter: (text: string) => void): string | null {
	if (file === '') return `${MISSING}\n`;
	let text: string | null;
	try {
		text = read();
	} catch {
		// The message is all that the prompt shows of it.
		return `Failed to load: ${file}\n`;
	}
	if (text === null) return `Failed to load: ${file} is not a valid file\n`;
	enter(text);
	return null;
}
