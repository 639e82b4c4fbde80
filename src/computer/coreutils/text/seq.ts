import type { BuiltIn } from '#computer/shell/state/host.ts';
import { formatPrintf } from '#computer/shell/builtins/printf.ts';

const decimals = (text: string) => /\.(\d+)/.exec(text)?.[1]?.length ?? 0;

/** `seq`. */
export const seq: BuiltIn = async (call) => {
	const [options, operands]: [Record<string, string>, string[]] = [{}, []];
	for (let index = 0; index < call.args.length; index++) {
		const arg = call.args[index] ?? '';
		const match = /^-([sfw])(.*)$/s.exec(arg) ?? /^--(separator|format|equal-width)=?(.*)$/s.exec(arg);
		if (match && operands.length === 0) {
			const name = (match[1] ?? '')[0] === 'e' ? 'w' : ((match[1] ?? '')[0] ?? '');
			options[name] = name === 'w' ? '' : match[2] || (call.args[++index] ?? '');
		} else operands.push(arg);
	}
	const wrong = operands.find((text) => !/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text));
	if (wrong !== undefined || operands.length === 0 || operands.length > 3) {
		await call.complain(wrong === undefined ? 'missing operand' : `invalid floating point argument: '${wrong}'`);
		return 1;
	}
	const [first, step, last] =
		operands.length === 1
			? ['1', '1', operands[0]]
			: operands.length === 2
				? [operands[0], '1', operands[1]]
				: operands;
	const [from, by, to] = [Number(first), Number(step), Number(last)];
	if (by === 0) {
		await call.complain(`invalid Zero increment value: '${step}'`);
		return 1;
	}
	const digits = Math.max(decimals(first ?? ''), decimals(step ?? ''));
	const count = Math.floor((to - from) / by + 1e-9) + 1;
	// As wide as the widest number is written, leading zeros too.
	const written = (text = '') => text.replace(/^\+/, '').replace(/\.\d*$/, '').length + (digits > 0 ? digits + 1 : 0);
	const width =
		'w' in options
			? Math.max(written(first), written(last), from.toFixed(digits).length, to.toFixed(digits).length)
			: 0;
	const shown = (value: number) => {
		if (options['f'] !== undefined) return formatPrintf(options['f'], [String(value)]).text;
		const text = value.toFixed(digits);
		return text.startsWith('-') ? `-${text.slice(1).padStart(width - 1, '0')}` : text.padStart(width, '0');
	};
	const separator = options['s'] ?? '\n';
	let piece: string[] = [];
	for (let index = 0; index < count; index++) {
		piece.push(shown(from + index * by));
		if (piece.length < 4096 && index + 1 < count) continue;
		await call.out(piece.join(separator) + (index + 1 < count ? separator : '\n'));
		piece = [];
		await call.shell.control.yieldIfDue();
	}
	return 0;
};
