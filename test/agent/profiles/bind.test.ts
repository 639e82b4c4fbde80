import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { bind } from '#agent/profiles/bind.ts';
import type { Tool, ToolContext } from '#agent/tool.ts';

const schema = z.object({ path: z.string(), limit: z.number().default(10) });
const seen: [unknown, ToolContext['parameterNames']][] = [];
const tool: Tool<typeof schema> = {
	name: 'read_file',
	description: 'Reads a file.',
	schema,
	access: 'read',
	execute: (args, { parameterNames }) => {
		seen.push([args, parameterNames]);
		return Promise.resolve({ content: args.path, isError: false });
	}
};
const vendors = z.object({ file: z.string(), most: z.number().optional() });
const toNeutral = ({ file, most }: z.infer<typeof vendors>) => ({ path: file, limit: most });

describe('a tool under a vendor’s name', () => {
	it('is shown as it is where the vendor has nothing of its own', async () => {
		const binding = bind(tool, { name: 'Read' });
		expect(binding.definition).toStrictEqual({
			name: 'Read',
			description: 'Reads a file.',
			parameters: expect.objectContaining({ type: 'object' })
		});
		expect(Object.keys(Object(binding.definition.parameters['properties']))).toEqual(['path', 'limit']);
		expect(Object.keys(binding).sort()).toEqual(['definition', 'tool']);
		seen.length = 0;
		await binding.tool.execute({ path: 'a' }, {} as ToolContext);
		expect(seen).toEqual([[{ path: 'a', limit: 10 }, undefined]]);
	});

	it('has the vendor’s words, names and forms', async () => {
		const present = <Result>(result: Result): Result => result;
		const custom = { syntax: 'lark' as const, definition: 'start: "x"' };
		const parameterNames = { limit: 'most' };
		const options = { name: 'Read', description: 'Their words.', aliases: ['cat'], schema: vendors, toNeutral };
		const binding = bind(tool, { ...options, present, custom, parameterNames });
		expect(binding).toMatchObject({
			definition: { name: 'Read', description: 'Their words.', custom },
			aliases: ['cat'],
			present
		});
		expect(Object.keys(Object(binding.definition.parameters['properties']))).toEqual(['file', 'most']);
		seen.length = 0;
		await binding.tool.execute({ path: 'a', limit: 1 }, { callId: 'c' } as ToolContext);
		expect(seen).toEqual([[{ path: 'a', limit: 1 }, parameterNames]]);
	});

	it('asks the tool for what its parameters mean, and leaves out what is absent', () => {
		const { adapt } = bind(tool, { name: 'Read', schema: vendors, toNeutral });
		expect(adapt?.({ file: 'a' })).toStrictEqual({ path: 'a' });
		expect(adapt?.({ file: 'a', most: 2 })).toStrictEqual({ path: 'a', limit: 2 });
		expect(() => adapt?.({ most: 2 })).toThrow(
			/^Invalid arguments for Read: file: .* Correct them and call the tool again\.$/
		);
	});

	it('takes parameters as they are where they need no other form', () => {
		expect(bind(tool, { name: 'Read', schema: vendors })).not.toHaveProperty('adapt');
		expect(bind(tool, { name: 'Read', toNeutral: () => ({}) })).not.toHaveProperty('adapt');
	});
});
