import { z } from 'zod';
import type { ImagePart } from '#llm/types.ts';
import type { Tool, ToolBinding, ToolContext, ToolResult } from '../../tool.ts';
import { untrusted } from '../../untrusted.ts';

/** A tool as its server lists it. */
export interface McpTool {
	name: string;
	description?: string | undefined;
	inputSchema: Record<string, unknown>;
	annotations?: { readOnlyHint?: boolean | undefined } | undefined;
}

export interface McpCaller {
	server: string;
	url: string;
	call(tool: string, args: Record<string, unknown>, signal: AbortSignal): Promise<unknown>;
}

const MAX_NAME_CHARACTERS = 64;
const MAX_DESCRIPTION_CHARACTERS = 2_000;

const block = z.union([
	z.object({ type: z.literal('text'), text: z.string() }),
	z.object({ type: z.literal('image'), data: z.string(), mimeType: z.string() }),
	z.object({ type: z.literal('resource'), resource: z.looseObject({ uri: z.string(), text: z.string().optional() }) }),
	z.looseObject({ type: z.string() })
]);
const answer = z.object({
	content: z.array(block).default([]),
	structuredContent: z.record(z.string(), z.unknown()).optional(),
	isError: z.boolean().optional()
});

/** Presents a server's tool to the model as `server__tool`; its answers are marked as untrusted. */
export function mcpTool(caller: McpCaller, listed: McpTool): ToolBinding {
	const name = `${caller.server}__${listed.name.replace(/[^A-Za-z0-9_-]/g, '_')}`.slice(0, MAX_NAME_CHARACTERS);
	const description = (listed.description ?? listed.name).slice(0, MAX_DESCRIPTION_CHARACTERS);
	const tool: Tool = {
		name,
		description,
		// The server checks the arguments itself: its schema is known only at run time.
		schema: z.record(z.string(), z.unknown()),
		access: listed.annotations?.readOnlyHint ? 'read' : 'write',
		async execute(args, context) {
			const given = z.record(z.string(), z.unknown()).parse(args);
			await propose(caller, name, given, context);
			return toResult(`${caller.server} (${caller.url})`, await caller.call(listed.name, given, context.signal));
		}
	};
	return { definition: { name, description, parameters: { ...listed.inputSchema, type: 'object' } }, tool };
}

function propose(caller: McpCaller, name: string, args: Record<string, unknown>, context: ToolContext): Promise<void> {
	const shown = JSON.stringify(args);
	const description = `Call ${name} of the MCP server ${caller.server} with ${shown.length > 200 ? `${shown.slice(0, 200)}…` : shown}`;
	return context.propose({ kind: 'network', url: caller.url, description });
}

function toResult(source: string, value: unknown): ToolResult {
	const parsed = answer.safeParse(value);
	if (!parsed.success) return { content: 'The server answered with something that is no tool result.', isError: true };
	const texts: string[] = [];
	const images: ImagePart[] = [];
	for (const part of parsed.data.content) {
		if (part.type === 'text' && typeof part.text === 'string') texts.push(part.text);
		else if (part.type === 'image' && 'mimeType' in part && typeof part.data === 'string')
			images.push({ type: 'image', mediaType: String(part.mimeType), data: part.data });
		else if (part.type === 'resource') texts.push(JSON.stringify(part['resource']));
		else texts.push(`[${part.type} left out]`);
	}
	if (texts.length === 0 && parsed.data.structuredContent) texts.push(JSON.stringify(parsed.data.structuredContent));
	const text = texts.join('\n');
	return {
		content: text === '' ? '(no text)' : untrusted(source, text),
		...(images.length > 0 ? { images } : {}),
		isError: parsed.data.isError ?? false
	};
}
