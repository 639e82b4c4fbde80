import { z } from 'zod';
import type { PreviewStep } from '#environment/preview.ts';
import { ToolError } from './result.ts';

/** A step as the model writes it: flat, since not every provider supports unions. */
export const stepSchema = z.object({
	kind: z
		.enum([
			...(['click', 'fill', 'type', 'press', 'select', 'check', 'uncheck', 'hover', 'focus'] as const),
			...(['drag', 'scroll', 'upload', 'wait_for', 'dialog'] as const)
		])
		.describe('dialog says what the next alert, confirm or prompt gets; without it they are dismissed.'),
	on: z
		.string()
		.optional()
		.describe('The element: a ref of the last snapshot (e12), or a selector as Playwright takes it.'),
	text: z
		.string()
		.optional()
		.describe('fill, type: the text. wait_for: text to be displayed. dialog: what is typed into a prompt.'),
	key: z.string().optional().describe('press: e.g. Enter, ArrowDown, Control+a.'),
	values: z.array(z.string()).optional().describe('select: values or labels of options.'),
	paths: z.array(z.string()).optional().describe('upload: files of the project for an input of files.'),
	to: z.string().optional().describe('drag: the element to drop on.'),
	x: z.number().optional().describe('scroll: pixels to the right.'),
	y: z.number().optional().describe('scroll: pixels down.'),
	button: z.enum(['left', 'right', 'middle']).optional(),
	count: z.number().int().min(1).max(3).optional().describe('click: 2 for a double click.'),
	accept: z.boolean().optional().describe('dialog: true accepts it.'),
	gone: z.boolean().optional().describe('wait_for: until it is not displayed any more.')
});

const on = z.string().min(1);
const optional = on.optional();

const step = z.discriminatedUnion('kind', [
	z.object({ kind: z.literal('click'), on, button: stepSchema.shape.button, count: stepSchema.shape.count }),
	z.object({ kind: z.literal('fill'), on, text: z.string() }),
	z.object({ kind: z.literal('type'), on: optional, text: z.string() }),
	z.object({ kind: z.literal('press'), on: optional, key: z.string().min(1) }),
	z.object({ kind: z.literal('select'), on, values: z.array(z.string()).min(1) }),
	z.object({ kind: z.literal('check'), on }),
	z.object({ kind: z.literal('uncheck'), on }),
	z.object({ kind: z.literal('hover'), on }),
	z.object({ kind: z.literal('focus'), on }),
	z.object({ kind: z.literal('drag'), on, to: on }),
	z.object({ kind: z.literal('scroll'), on: optional, x: z.number().default(0), y: z.number().default(0) }),
	z.object({ kind: z.literal('upload'), on, paths: z.array(z.string().min(1)).min(1).max(20) }),
	z.object({ kind: z.literal('wait_for'), on: optional, text: z.string().optional(), gone: z.boolean().optional() }),
	z.object({ kind: z.literal('dialog'), accept: z.boolean().default(false), text: z.string().optional() })
]);

/** Converts a step to its kind. @throws ToolError naming a missing field */
export function previewStep(given: z.infer<typeof stepSchema>, index: number): PreviewStep {
	const parsed = step.safeParse(given);
	if (parsed.success) {
		const { data } = parsed;
		if (data.kind !== 'wait_for' || data.on !== undefined || data.text !== undefined) return data;
		throw new ToolError(`Step ${index + 1}: wait_for needs on or text.`);
	}
	const missing = parsed.error.issues.map(({ path }) => path.join('.')).join(', ');
	throw new ToolError(`Step ${index + 1}: ${given.kind} needs ${missing}.`);
}
