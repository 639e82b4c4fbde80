import { z } from 'zod';

/** Maximum characters of one output; a longer table or log is no more informative. */
const MAX_OUTPUT = 4_000;

const text = z.union([z.string(), z.array(z.string())]).transform((value) => [value].flat().join(''));

const output = z.looseObject({
	output_type: z.string(),
	text: text.optional(),
	data: z.record(z.string(), z.unknown()).optional(),
	ename: z.string().optional(),
	evalue: z.string().optional(),
	traceback: z.array(z.string()).optional()
});

const notebook = z.looseObject({
	nbformat: z.number(),
	cells: z.array(z.looseObject({ cell_type: z.string(), source: text, outputs: z.array(output).optional() }))
});

type Output = z.infer<typeof output>;

/** Formats a Jupyter notebook as its cells and their outputs; pictures only by name. `null` if it is not a notebook. */
export function notebookText(content: string): string | null {
	const parsed = notebook.safeParse(json(content));
	if (!parsed.success) return null;
	const { cells } = parsed.data;
	const count = cells.length === 1 ? '1 cell' : `${cells.length} cells`;
	const parts = [`[A notebook of ${count}, shown as such. The file itself is JSON: see that with a command.]`];
	for (const [index, { cell_type, source, outputs = [] }] of cells.entries()) {
		parts.push(`--- Cell ${index + 1} (${cell_type}) ---\n${source}`);
		const shown = outputs.map(outputText).filter((each) => each !== '');
		if (shown.length > 0) parts.push(`--- Output of cell ${index + 1} ---\n${shown.join('\n')}`);
	}
	return `${parts.map((part) => part.trimEnd()).join('\n\n')}\n`;
}

function outputText({ text: printed, data = {}, ename, evalue, traceback }: Output): string {
	if (printed !== undefined) return bounded(printed);
	if (ename !== undefined) return bounded(plain(traceback?.join('\n') || `${ename}: ${evalue ?? ''}`));
	const shown = text.safeParse(data['text/plain']);
	const left = Object.entries(data)
		.filter(([type]) => type !== 'text/plain')
		.map(([type, value]) => `[${type}, ${JSON.stringify(value).length} characters, left out]`);
	return [...(shown.success ? [bounded(shown.data)] : []), ...left].join('\n');
}

function bounded(value: string): string {
	const whole = value.trimEnd();
	if (whole.length <= MAX_OUTPUT) return whole;
	return `${whole.slice(0, MAX_OUTPUT)}\n[${whole.length - MAX_OUTPUT} characters more of this output, left out]`;
}

/** Removes terminal colors. */
function plain(value: string): string {
	return value.replace(/\u001b\[[0-9;]*[A-Za-z]/g, '');
}

function json(content: string): unknown {
	try {
		return JSON.parse(content);
	} catch {
		return null;
	}
}
