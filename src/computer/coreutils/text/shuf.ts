import { UsageError, utility } from '../options.ts';
import { LineSource } from '../input/line-source.ts';

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
