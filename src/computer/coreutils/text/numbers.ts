import { UsageError, utility } from '../options.ts';
import type { BuiltIn } from '#computer/shell/state/host.ts';
import { formatPrintf } from '#computer/shell/builtins/printf.ts';
import { LineSource } from '../input/line-source.ts';

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

/** `shuf`. */
export const shuf = utility(
	'n|head-count= i|input-range= e|echo r|repeat z|zero-terminated o|output= random-source=',
	async (call, options) => {
		let items: string[] = [];
		const range = /^(\d+)-(\d+)$/.exec(options.get('i') ?? '');
		if (options.has('i') && !range) throw new UsageError(`invalid input range: '${options.get('i')}'`);
		if (range)
			items = Array.from({ length: Number(range[2]) - Number(range[1]) + 1 }, (_item, index) =>
				String(Number(range[1]) + index)
			);
		else if (options.has('e')) items = [...options.operands];
		else {
			const lines = new LineSource(call, options.operands, options.has('z') ? 0 : 10);
			for (let line = await lines.next(); line; line = await lines.next()) items.push(line.text);
			if (lines.status) return 1;
		}
		const most = options.number('n', options.has('r') ? Infinity : items.length);
		const end = options.has('z') ? '\0' : '\n';
		if (options.has('r')) {
			for (let count = 0; count < most && items.length; count++) {
				await call.out(`${items[Math.floor(Math.random() * items.length)]}${end}`);
				await call.shell.control.yieldIfDue();
			}
			return 0;
		}
		for (let index = items.length - 1; index > 0; index--) {
			const other = Math.floor(Math.random() * (index + 1));
			[items[index], items[other]] = [items[other] ?? '', items[index] ?? ''];
		}
		const text = items
			.slice(0, most)
			.map((item) => item + end)
			.join('');
		const file = options.get('o');
		if (file === undefined) await call.out(text);
		else call.shell.host.context.sync.writeFile(call.shell.path(file), new TextEncoder().encode(text));
		return 0;
	}
);

const UNITS = 'KMGTPEZY';

/** `numfmt` between plain numbers and those with a unit. */
export const numfmt = utility(
	'to= from= suffix= padding= d= field= format= grouping header=? invalid= round=',
	async (call, options) => {
		const texts = [...options.operands];
		if (texts.length === 0) {
			const lines = new LineSource(call, []);
			for (let line = await lines.next(); line; line = await lines.next()) texts.push(line.text);
		}
		for (const line of texts) {
			const fields = line.split(/(\s+)/).filter((part, index) => index > 0 || part !== '');
			// Blanks are at the odd indexes between the fields.
			const place = options.has('field') ? (Number(options.get('field')) - 1) * 2 : -1;
			const text = place < 0 ? line : (fields[place] ?? '');
			const match = /^\s*(-?[\d.]+)([KMGTPEZY])?(i?)B?$/.exec(text);
			if (!match) {
				await call.complain(`invalid number: '${text}'`);
				return 2;
			}
			const base = options.get('from') === 'si' || (options.get('from') === 'auto' && !match[3]) ? 1000 : 1024;
			let value = Number(match[1]) * (match[2] ? base ** (UNITS.indexOf(match[2]) + 1) : 1);
			const to = options.get('to');
			const step = to === 'si' ? 1000 : 1024;
			let power = 0;
			if (to) for (; Math.abs(value) >= step && power < 8; power++) value /= step;
			const shown =
				power === 0
					? String(value)
					: Math.abs(value) < 10
						? (Math.ceil(value * 10) / 10).toFixed(1)
						: String(Math.ceil(value));
			const [before, after] =
				place < 0 ? ['', ''] : [fields.slice(0, place).join(''), fields.slice(place + 1).join('')];
			await call.out(
				`${before}${shown}${power ? UNITS[power - 1] : ''}${power && to === 'iec-i' ? 'i' : ''}${options.get('suffix') ?? ''}${after}\n`
			);
		}
		return 0;
	}
);
