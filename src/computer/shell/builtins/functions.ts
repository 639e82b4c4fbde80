import { printFunction } from '../ast/print.ts';
import { complain } from '../execution/script.ts';
import type { Shell } from '../state/shell.ts';
import { encode } from '#computer/process/text.ts';

/** Attributes of a function besides `f`, as `declare -F` shows them. */
const marks = (shell: Shell, name: string) =>
	`${shell.readonlyFunctions.has(name) ? 'r' : ''}${shell.tracedFunctions.has(name) ? 't' : ''}${shell.exportedFunctions.has(name) ? 'x' : ''}`;

/** Formats a function as printed by `declare -f`; '' if there is none. */
function showFunction(shell: Shell, name: string): string {
	const definition = shell.functions.get(name);
	return definition ? `${printFunction(definition)}\n` : '';
}

const sortedNames = (shell: Shell) => [...shell.functions.keys()].sort();

/** Formats all functions as listed by `set` and `declare -f`, sorted by name. */
export function listFunctions(shell: Shell): string {
	return sortedNames(shell)
		.map((name) => showFunction(shell, name))
		.join('');
}

/** `declare -f`, `declare -F`, `export -f`, `readonly -f` with or without names. */
export async function declareFunctions(
	shell: Shell,
	builtin: string,
	names: readonly string[],
	flags: ReadonlySet<string>
): Promise<number> {
	const short = flags.has('F');
	const exported = builtin === 'export' || flags.has('x');
	const readonly = builtin === 'readonly' || flags.has('r');
	let status = 0;
	let text = '';
	for (const name of names) {
		if (!shell.functions.has(name)) {
			if (exported || readonly) complain(shell, `${builtin}: ${name}: not a function`);
			status = 1;
		} else if (flags.has('+r') && shell.readonlyFunctions.has(name)) {
			complain(shell, `${builtin}: ${name}: readonly function`);
			status = 1;
		} else if (exported && (flags.has('n') || flags.has('+x'))) shell.exportedFunctions.delete(name);
		else if (exported && /[/=]/.test(name)) {
			// The environment cannot represent such a name.
			complain(shell, `${builtin}: ${name}: cannot export`);
			status = 1;
		} else if (exported) shell.exportedFunctions.add(name);
		else if (readonly) shell.readonlyFunctions.add(name);
		else if (flags.has('t')) shell.tracedFunctions.add(name);
		else if (flags.has('+t')) shell.tracedFunctions.delete(name);
		else if (short && !flags.has('p')) {
			const definition = shell.functions.get(name);
			const place = shell.shopt.has('extdebug') ? ` ${definition?.line} ${definition?.source}` : '';
			text += `${name}${place}\n`;
		} else text += flags.has('p') || short ? shown(shell, name, short) : showFunction(shell, name);
	}
	if (names.length === 0) {
		const listed = sortedNames(shell).filter(
			(name) => (!exported || shell.exportedFunctions.has(name)) && (!readonly || shell.readonlyFunctions.has(name))
		);
		text = listed.map((name) => shown(shell, name, short)).join('');
	}
	if (text) await shell.descriptors.get(1)?.write(encode(text));
	return status;
}

function shown(shell: Shell, name: string, short: boolean): string {
	const marked = marks(shell, name);
	if (short) return `declare -f${marked} ${name}\n`;
	return `${showFunction(shell, name)}${marked ? `declare -f${marked} ${name}\n` : ''}`;
}
