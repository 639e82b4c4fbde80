import { z } from 'zod';
import { InvalidRequestError } from './errors.ts';
import type { Client, Request, Response } from './types.ts';

/** The model returned nothing that fits the schema in two attempts; `text` is its last response. */
export class NoObjectGeneratedError extends Error {
	override readonly name = 'NoObjectGeneratedError';

	constructor(
		readonly text: string,
		readonly issues: string
	) {
		super(`The model gave no object that fits the schema: ${issues} Ask again, or with a simpler schema.`);
	}
}

const TOOL = 'answer';

/**
 * Requests data instead of text: with the provider's structured output, or, if it has none or refuses the schema,
 * through a tool whose parameters are the schema. The returned data is validated; if invalid, it is sent back once with
 * the validation errors.
 *
 * @param schema of an object
 * @throws NoObjectGeneratedError if the second response is invalid too; ProviderError as `complete` does
 */
export async function generateObject<Schema extends z.ZodObject>(
	client: Client,
	request: Omit<Request, 'tools' | 'toolChoice' | 'responseFormat'>,
	schema: Schema
): Promise<{ object: z.infer<Schema>; response: Response }> {
	const parameters = z.toJSONSchema(schema, { io: 'input' });
	const { asked, first } = await firstResponse(client, request, parameters);
	const read = readObject(first, schema);
	if (read.ok) return { object: read.object, response: first };
	const again = asked.responseFormat ? 'Give all of it again.' : `Call ${TOOL} again with all of it.`;
	const correction = `That does not fit: ${read.issues} ${again}`;
	const call = first.message.content.find((part) => part.type === 'tool_call');
	const answer: Request['messages'][number] = call
		? {
				role: 'tool',
				content: [{ type: 'tool_result', callId: call.id, toolName: call.name, content: correction, isError: true }]
			}
		: { role: 'user', content: [{ type: 'text', text: correction }] };
	const earlier = first.message.content.length > 0 ? [first.message] : [];
	const second = await client.complete({ ...asked, messages: [...asked.messages, ...earlier, answer] });
	const reread = readObject(second, schema);
	if (reread.ok) return { object: reread.object, response: second };
	throw new NoObjectGeneratedError(reread.text, reread.issues);
}

async function firstResponse(
	client: Client,
	request: Request,
	parameters: Record<string, unknown>
): Promise<{ asked: Request; first: Response }> {
	const native: Request = { ...request, responseFormat: { name: TOOL, schema: parameters } };
	try {
		return { asked: native, first: await client.complete(native) };
	} catch (error) {
		if (!(error instanceof InvalidRequestError)) throw error;
	}
	const tool = { name: TOOL, description: 'Gives the answer. Call it once, with all of it.', parameters };
	// Some providers do not allow forcing a tool while the model thinks, and the object must come through it.
	const asked: Request = { reasoningEffort: 'none', ...request, tools: [tool], toolChoice: { name: TOOL } };
	return { asked, first: await client.complete(asked) };
}

type Read<Schema extends z.ZodObject> =
	{ ok: true; object: z.infer<Schema> } | { ok: false; text: string; issues: string };

/**
 * Reads the object from the call, or from a text that is JSON: a model that cannot be forced may respond with
 * text.
 */
function readObject<Schema extends z.ZodObject>({ message }: Response, schema: Schema): Read<Schema> {
	const call = message.content.find((part) => part.type === 'tool_call');
	const plainText = message.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
	const text = call ? (call.rawArguments ?? JSON.stringify(call.arguments)) : plainText;
	let value: unknown = call?.arguments;
	if (!call || call.rawArguments !== undefined) {
		try {
			value = JSON.parse(text.replace(/^\s*```(?:json)?\n([\s\S]*)\n```\s*$/, '$1'));
		} catch {
			return { ok: false, text, issues: 'it is not valid JSON.' };
		}
	}
	const parsed = schema.safeParse(value);
	if (parsed.success) return { ok: true, object: parsed.data };
	const issues = parsed.error.issues.map(({ path, message: what }) => `${path.join('.') || 'it'}: ${what}.`);
	return { ok: false, text, issues: issues.join(' ') };
}
