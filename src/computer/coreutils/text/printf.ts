import { formatPrintf } from '#computer/shell/builtins/printf.ts';
import type { BuiltIn } from '#computer/shell/state/host.ts';
import { shellEscaped } from '../shell-escape.ts';
import { UsageError, utility } from '../options.ts';

const MOST = 2 ** 31 - 1;
/** Conversions that do not accept a flag or a precision. */
const REFUSED: Readonly<Record<string, string>> = { "'": 'aAceEosxX', '0': 'cs', '#': 'cdisu', '.': 'c' };

const formatted = utility('+', async (call, { operands }) => {
	const [given, ...all] = operands;
	if (given === undefined) throw new UsageError('missing operand');
	const { format, values } = untilStop(given, all);
	checkFormat(format, values);
	const { text, problems, constants } = formatPrintf(format, values, undefined, shellEscaped);
	await call.out(text);
	const isStrict = call.shell.variables.exported('POSIXLY_CORRECT') !== undefined;
	for (const constant of constants) {
		const [, character, ...rest] = constant;
		if (character === undefined) problems.unshift(`${constant}: invalid number`);
		else if (rest.length > 0 && !isStrict)
			await call.complain(`warning: ${rest.join('')}: character(s) following character constant have been ignored`);
	}
	for (const problem of problems)
		await call.complain(problem.replace(/^(.*): invalid number$/s, "'$1': expected a numeric value"));
	return problems.length > 0 ? 1 : 0;
});

/** `printf` as a program, which supports `%q` and reports invalid formats in its own way. */
export const printf: BuiltIn = (call) => {
	// An argument that looks like an option is a format, except for these.
	const isOption = /^--(?:help|version)?$/.test(call.args[0] ?? '');
	return formatted({ ...call, args: isOption ? call.args : ['--', ...call.args] });
};

/** Cuts a format at `\c`; returns it with the values for the text before it, which is printed once. */
function untilStop(format: string, values: readonly string[]): { format: string; values: readonly string[] } {
	const [before] = /^(?:[^\\]|\\[^c])*(?=\\c)/s.exec(format) ?? [];
	if (before === undefined) return { format, values };
	const wanted = [...before.replaceAll('%%', '').matchAll(/%[^a-zA-Z]*/g)];
	return {
		format: before,
		values: values.slice(
			0,
			wanted.reduce((sum, [one]) => sum + one.split('*').length, 0)
		)
	};
}

/** @throws UsageError */
function checkFormat(format: string, values: readonly string[]): void {
	if (/(?<!\\)(?:\\\\)*\\x(?![\da-f])/i.test(format)) throw new UsageError('missing hexadecimal number in escape');
	let at = 0;
	const directives = format.replaceAll('%%', '').matchAll(/%([-+ #0']*)(\*|\d+)?(?:(\.)(\*|\d+)?)?[hjlLtz]*(.?)/gsu);
	for (const [whole, flags = '', width, point = '', precision, letter = ''] of directives) {
		const isRefused = [...flags, point].some((mark) => REFUSED[mark]?.includes(letter));
		if (isRefused || !/[diouxXeEfFgGaAcsbq]/.test(letter))
			throw new UsageError(`${whole}: invalid conversion specification`);
		for (const [part, what] of [
			[width, 'field width'],
			[precision, 'precision']
		] as const) {
			const given = part === '*' ? values[at++] : part;
			const isTooLarge = Number(given ?? 0) > MOST || (what === 'field width' && Number(given ?? 0) < -MOST);
			if (isTooLarge) throw new UsageError(`invalid ${what}: '${given}'`);
		}
		at++;
	}
}
