import { encode } from '#computer/process/text.ts';
import { LineSource } from '../input/line-source.ts';
import { TextOutput } from '../input/text-output.ts';
import { utility } from '../options.ts';

/** `uniq`. */
export const uniq = utility(
	'c|count d|repeated D|all-repeated=? u|unique i|ignore-case f|skip-fields= s|skip-chars= w|check-chars= z|zero-terminated',
	async (call, options) => {
		const [input = '-', second = '-'] = options.operands;
		const output = second === '-' ? undefined : second;
		const [fields, characters, width] = [options.number('f', 0), options.number('s', 0), options.number('w', Infinity)];
		const end = options.has('z') ? '\0' : '\n';
		const keyOf = (line: string) => {
			let key = fields ? line.replace(new RegExp(`^(\\s*\\S+){0,${fields}}`), '') : line;
			if (characters || width !== Infinity)
				key = key.slice(characters, width === Infinity ? undefined : characters + width);
			return options.has('i') ? key.toLowerCase() : key;
		};
		const out = new TextOutput(call);
		let result = '';
		const add = (text: string) => {
			if (output === undefined) out.add(text);
			else result += text;
		};
		const lines = new LineSource(call, [input], options.has('z') ? 0 : 10);
		lines.beforeWaiting = () => out.flush();
		const groups: { key: string; text: string; count: number }[] = [];
		// If each group is printed once, its first line is enough.
		const isPlain = !options.has('c', 'd', 'u', 'D');
		const finish = () => {
			const group = groups.pop();
			if (!group || isPlain) return;
			if (options.has('D') || (options.has('d') && group.count < 2) || (options.has('u') && group.count > 1)) return;
			add(`${options.has('c') ? `${String(group.count).padStart(7)} ` : ''}${group.text}${end}`);
		};
		for (let line = await lines.next(); line; line = await lines.next()) {
			const key = keyOf(line.text);
			const [group] = groups;
			if (group?.key === key) {
				if (options.has('D')) add((group.count === 1 ? group.text + end : '') + line.text + end);
				group.count++;
				continue;
			}
			finish();
			groups.push({ key, text: line.text, count: 1 });
			if (isPlain) add(line.text + end);
			if (out.full) await out.flush();
		}
		finish();
		await out.flush();
		if (output !== undefined) call.shell.host.context.sync.writeFile(call.shell.path(output), encode(result));
		return lines.status;
	}
);
