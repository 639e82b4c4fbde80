import { utility } from '../options.ts';
import { LineSource } from '../input/line-source.ts';

const UNITS = 'KMGTPEZY';

/** `numfmt`: converts between plain numbers and numbers with a unit. */
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
			// Blanks between the fields are at the odd indexes.
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
