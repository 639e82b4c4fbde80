import { words } from './names.ts';
import { DEFAULT_SHELL, simpleWords } from './recipe-lines.ts';
import type { MakeState } from './state.ts';

/** Shell that runs commands, with the options before the command. */
export interface RecipeShell {
	shell: string;
	flags: string[];
	/** Set for the default shell: then simple commands need no shell. */
	isDefault: boolean;
}

/** Shell configured in a scope. @param expand expands a text in that scope */
export async function shellFor(expand: (text: string) => Promise<string>): Promise<RecipeShell> {
	const shell = (await expand('$(SHELL)')).trim() || DEFAULT_SHELL;
	const written = await expand('$(.SHELLFLAGS)');
	const flags = simpleWords(written) ?? words(written);
	return { shell, flags, isDefault: shell === DEFAULT_SHELL && flags.join(' ') === '-c' };
}

/** Words that run a command: its own if it needs no shell. */
export function wordsFor({ shell, flags, isDefault }: RecipeShell, command: string): string[] {
	const simple = isDefault ? simpleWords(command) : null;
	return simple?.[0] === undefined ? [...words(shell), ...flags, command] : simple;
}

/**
 * Runs a command and returns its output: line ends become blanks, trailing ones are removed. Sets `.SHELLSTATUS`.
 * @param trims false: only the last line end is removed, as for `!=`
 */
export async function shellOutput(
	state: MakeState,
	shell: RecipeShell,
	command: string,
	trims = true
): Promise<string> {
	const { machine } = state;
	const argv = wordsFor(shell, command);
	const why = machine.missing(argv[0] ?? '');
	if (why !== null) await machine.complain(`${state.name}: ${argv[0] ?? ''}: ${why}\n`);
	const { text, status } = why === null ? await machine.output(argv) : { text: '', status: 127 };
	state.globals.define('.SHELLSTATUS', String(status), 'override');
	return text.replace(trims ? /\n+$/ : /\n$/, '').replaceAll('\n', ' ');
}
