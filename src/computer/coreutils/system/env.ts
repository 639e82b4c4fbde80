import { reason } from '#computer/shell/execution/redirections.ts';
import { runSubshell } from '#computer/shell/execution/subshell.ts';
import type { BuiltIn, Call } from '#computer/shell/state/host.ts';
import type { Shell } from '#computer/shell/state/shell.ts';
import { type Options, UsageError, utility } from '../options.ts';
import { runProgram } from './run-program.ts';

const SPECIFICATION = '+i|ignore-environment 0|null u|unset= C|chdir= v|debug';
/** Status when `env` itself fails. */
const FAILED = 125;

const changed = utility(SPECIFICATION, run, FAILED);

/** `env`: runs a command in a changed environment, or prints the environment. */
export const env: BuiltIn = (call) => changed({ ...call, args: withSplitStrings(call.args) });

/** Replaces `-S` by the words it contains; a lone dash means `-i`. */
function withSplitStrings(args: readonly string[]): string[] {
	const result: string[] = [];
	for (let index = 0; index < args.length; index++) {
		const arg = args[index] ?? '';
		if (!arg.startsWith('-') || arg === '--') return [...result, ...args.slice(index)];
		const [, letters, inline = ''] = /^-([i0v]*)S(.*)$/s.exec(arg) ?? /^--split-string()=?(.*)$/s.exec(arg) ?? [];
		if (letters !== undefined) {
			if (letters !== '') result.push(`-${letters}`);
			const text = inline === '' ? (args[++index] ?? '') : inline;
			result.push(...text.split(/\s+/).filter(Boolean));
			continue;
		}
		result.push(arg === '-' ? '-i' : arg);
		if (/^-[i0v]*[uC]$|^--(?:unset|chdir)$/.test(arg)) result.push(args[++index] ?? '');
	}
	return result;
}

async function run(call: Call, options: Options): Promise<number> {
	const { operands } = options;
	const first = operands.findIndex((text) => !/^[^=]+=/.test(text));
	const [settings, words] = first < 0 ? [operands, []] : [operands.slice(0, first), operands.slice(first)];
	if (options.has('0') && words.length > 0) throw new UsageError('cannot specify --null (-0) with command', true);
	const directory = options.get('C');
	if (directory !== undefined && words.length === 0)
		throw new UsageError('must specify command with --chdir (-C)', true);
	return runSubshell(call.shell, async (inner) => {
		change(inner, options, settings);
		if (directory !== undefined) {
			const problem = enter(inner, directory);
			if (problem !== null) {
				await call.complain(`cannot change directory to '${directory}': ${problem}`);
				return FAILED;
			}
		}
		if (words.length > 0) return runProgram(call, inner, [...words], '');
		const end = options.has('0') ? '\0' : '\n';
		const lines = Object.entries(inner.environment()).map(([name, value]) => `${name}=${value}${end}`);
		await call.out(lines.join(''));
		return 0;
	});
}

function change(inner: Shell, options: Options, settings: readonly string[]): void {
	if (options.has('i')) {
		inner.exportedFunctions.clear();
		for (const name of inner.variables.names())
			if (inner.variables.find(name)?.exported) inner.variables.declare(name, { exported: false });
	}
	for (const name of options.all('u')) inner.variables.unset(name);
	for (const setting of settings) {
		const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(setting) ?? [];
		inner.variables.dynamic.delete(name);
		inner.variables.declare(name, { readonly: false, reference: false, value, exported: true });
	}
}

/** Changes the directory. Returns the error, or null. */
function enter(inner: Shell, directory: string): string | null {
	const path = inner.path(directory);
	try {
		if (inner.host.context.sync.stat(path).kind !== 'directory') return 'Not a directory';
	} catch (error) {
		return reason(error);
	}
	inner.cwd = path;
	return null;
}
