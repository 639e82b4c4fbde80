import * as z from 'zod/mini';

const Lines = z.union([z.string(), z.array(z.string())]);
const Output = z.looseObject({
	output_type: z.string(),
	text: z.optional(Lines),
	data: z.optional(z.record(z.string(), z.unknown())),
	ename: z.optional(z.string()),
	evalue: z.optional(z.string())
});
const Notebook = z.looseObject({
	cells: z.array(z.looseObject({ cell_type: z.string(), source: Lines, outputs: z.optional(z.array(Output)) }))
});

/** A cell of a notebook with its output. */
interface Cell {
	kind: 'markdown' | 'code' | 'raw';
	source: string;
	outputs: readonly CellOutput[];
}

type CellOutput = { kind: 'text' | 'error'; text: string } | { kind: 'image'; url: string };

const MOST_CELLS = 500;
const MOST_CHARACTERS = 20_000;
const BASE64 = /^[A-Za-z0-9+/=\s]+$/;

/** Parses the cells of a Jupyter notebook (nbformat 4); `null` if the text is not one. */
export function parseNotebook(text: string): Cell[] | null {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		return null;
	}
	const parsed = z.safeParse(Notebook, value);
	if (!parsed.success) return null;
	return parsed.data.cells.slice(0, MOST_CELLS).map(({ cell_type, source, outputs = [] }) => ({
		kind: cell_type === 'markdown' || cell_type === 'code' ? cell_type : 'raw',
		source: joined(source),
		outputs: outputs.flatMap((output) => toOutput(output) ?? [])
	}));
}

function toOutput({ text, data, ename, evalue }: z.infer<typeof Output>): CellOutput | null {
	if (ename !== undefined) return { kind: 'error', text: `${ename}: ${evalue ?? ''}` };
	if (text !== undefined) return { kind: 'text', text: joined(text).slice(0, MOST_CHARACTERS) };
	for (const type of ['image/png', 'image/jpeg']) {
		const image = z.safeParse(Lines, data?.[type]);
		if (image.success && BASE64.test(joined(image.data)))
			return { kind: 'image', url: `data:${type};base64,${joined(image.data).replace(/\s/g, '')}` };
	}
	const plain = z.safeParse(Lines, data?.['text/plain']);
	return plain.success ? { kind: 'text', text: joined(plain.data).slice(0, MOST_CHARACTERS) } : null;
}

const joined = (lines: z.infer<typeof Lines>): string => (typeof lines === 'string' ? lines : lines.join(''));
