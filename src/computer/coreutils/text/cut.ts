import { LineSource } from '../input/line-source.ts';
import { TextOutput } from '../input/text-output.ts';
import { UsageError, utility } from '../options.ts';

type Range = [from: number, to: number];

/** Parses `1,3-5,7-` into ranges, in order. */
function rangesOf(list: string): Range[] {
	return list
		.split(/[, ]/)
		.map((part): Range => {
			const match = /^(\d*)(-?)(\d*)$/.exec(part);
			if (!match || part === '' || part === '-') throw new UsageError(`invalid field range`);
			const from = Number(match[1] || 1);
			if (from === 0) throw new UsageError('fields are numbered from 1');
			const to = match[2] ? Number(match[3] || Infinity) : from;
			if (to < from) throw new UsageError('invalid decreasing range');
			return [from, to];
		})
		.sort(([a], [b]) => a - b);
}

/** `cut`. */
export const cut = utility(
	'd|delimiter= f|fields= c|characters= b|bytes= s|only-delimited complement output-delimiter= n z|zero-terminated',
	async (call, options) => {
		const list = options.get('f') ?? options.get('c') ?? options.get('b');
		if (list === undefined) throw new UsageError('you must specify a list of bytes, characters, or fields');
		const ranges = rangesOf(list);
		const complement = options.has('complement');
		const chosen = (position: number) => ranges.some(([from, to]) => position >= from && position <= to) !== complement;
		const delimiter = options.get('d') || '\t';
		if (delimiter.length > 1 && [...delimiter].length > 1)
			throw new UsageError('the delimiter must be a single character');
		const joiner = options.get('output-delimiter') ?? (options.has('f') ? delimiter : '');
		const end = options.has('z') ? '\0' : '\n';
		const out = new TextOutput(call);
		const lines = new LineSource(call, options.operands, options.has('z') ? 0 : 10);
		for (let batch = await lines.batch(); batch.length; batch = await lines.batch()) {
			for (const { text } of batch) {
				if (options.has('f')) {
					if (!text.includes(delimiter)) {
						if (!options.has('s')) out.add(text + end);
						continue;
					}
					out.add(
						text
							.split(delimiter)
							.filter((_field, index) => chosen(index + 1))
							.join(joiner) + end
					);
				} else {
					const characters = [...text];
					if (joiner === '') out.add(characters.filter((_one, index) => chosen(index + 1)).join('') + end);
					else out.add(ranges.map(([from, to]) => characters.slice(from - 1, to).join('')).join(joiner) + end);
				}
			}
			await out.flush();
		}
		return lines.status;
	}
);
