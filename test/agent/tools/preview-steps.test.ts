import { describe, expect, it } from 'vitest';
import { parametersOf } from '#agent/tools/arguments.ts';
import { previewStep, stepSchema } from '#agent/tools/preview-steps.ts';

it('is known to a model by its kinds and its parts, each with its meaning', () => {
	const takes = (step: object): boolean => stepSchema.safeParse(step).success;
	const kinds = 'click fill type press select check uncheck hover focus drag scroll upload wait_for dialog';
	for (const kind of kinds.split(' ')) expect([kind, takes({ kind })]).toEqual([kind, true]);
	for (const button of ['left', 'right', 'middle']) expect(takes({ kind: 'click', button })).toBe(true);
	expect([takes({ kind: 'hack' }), takes({ kind: 'click', button: 'side' }), takes({})]).toEqual([false, false, false]);
	const parts = Object(parametersOf(stepSchema)['properties']) as Record<string, { description?: string }>;
	const named = Object.keys(parts).filter((name) => !parts[name]?.description);
	expect(named).toEqual(['button']);
});

describe('a step of the tool preview', () => {
	const step = (given: Parameters<typeof previewStep>[0]) => {
		try {
			return previewStep(given, 1);
		} catch (error) {
			expect(error).toMatchObject({ name: 'ToolError' });
			return error instanceof Error ? error.message : '';
		}
	};

	it.each<[Parameters<typeof previewStep>[0], object | string]>([
		[
			{ kind: 'click', on: 'e1', button: 'right', count: 2, text: 'x' },
			{ kind: 'click', on: 'e1', button: 'right', count: 2 }
		],
		[{ kind: 'click', on: '' }, 'Step 2: click needs on.'],
		[
			{ kind: 'fill', on: 'e1', text: '' },
			{ kind: 'fill', on: 'e1', text: '' }
		],
		[{ kind: 'fill', on: 'e1' }, 'Step 2: fill needs text.'],
		[{ kind: 'fill' }, 'Step 2: fill needs on, text.'],
		[
			{ kind: 'type', text: 'a' },
			{ kind: 'type', text: 'a' }
		],
		[{ kind: 'type', on: 'e1' }, 'Step 2: type needs text.'],
		[
			{ kind: 'press', on: 'e1', key: 'Enter' },
			{ kind: 'press', on: 'e1', key: 'Enter' }
		],
		[{ kind: 'press', key: '' }, 'Step 2: press needs key.'],
		[
			{ kind: 'select', on: 'e1', values: ['a'] },
			{ kind: 'select', on: 'e1', values: ['a'] }
		],
		[{ kind: 'select', on: 'e1', values: [] }, 'Step 2: select needs values.'],
		[
			{ kind: 'check', on: 'e1' },
			{ kind: 'check', on: 'e1' }
		],
		[{ kind: 'check' }, 'Step 2: check needs on.'],
		[
			{ kind: 'uncheck', on: 'e1' },
			{ kind: 'uncheck', on: 'e1' }
		],
		[{ kind: 'uncheck' }, 'Step 2: uncheck needs on.'],
		[
			{ kind: 'hover', on: 'e1' },
			{ kind: 'hover', on: 'e1' }
		],
		[{ kind: 'hover' }, 'Step 2: hover needs on.'],
		[
			{ kind: 'focus', on: 'e1' },
			{ kind: 'focus', on: 'e1' }
		],
		[{ kind: 'focus' }, 'Step 2: focus needs on.'],
		[
			{ kind: 'drag', on: 'e1', to: 'e2' },
			{ kind: 'drag', on: 'e1', to: 'e2' }
		],
		[{ kind: 'drag', on: 'e1' }, 'Step 2: drag needs to.'],
		[{ kind: 'scroll' }, { kind: 'scroll', x: 0, y: 0 }],
		[
			{ kind: 'scroll', on: 'e1', x: 1, y: 2 },
			{ kind: 'scroll', on: 'e1', x: 1, y: 2 }
		],
		[
			{ kind: 'upload', on: 'e1', paths: ['a'] },
			{ kind: 'upload', on: 'e1', paths: ['a'] }
		],
		[{ kind: 'upload', on: 'e1', paths: [] }, 'Step 2: upload needs paths.'],
		[{ kind: 'upload', on: 'e1', paths: [''] }, 'Step 2: upload needs paths.0.'],
		[{ kind: 'upload', on: 'e1', paths: Array.from({ length: 21 }, () => 'a') }, 'Step 2: upload needs paths.'],
		[
			{ kind: 'wait_for', text: 'a' },
			{ kind: 'wait_for', text: 'a' }
		],
		[
			{ kind: 'wait_for', on: 'e1', gone: true },
			{ kind: 'wait_for', on: 'e1', gone: true }
		],
		[{ kind: 'wait_for', gone: true }, 'Step 2: wait_for needs on or text.'],
		[{ kind: 'dialog' }, { kind: 'dialog', accept: false }],
		[
			{ kind: 'dialog', accept: true, text: 'a' },
			{ kind: 'dialog', accept: true, text: 'a' }
		]
	])('written as %j is %j', (given, taken) => {
		expect(step(given)).toEqual(taken);
	});
});
