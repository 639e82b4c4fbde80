import type { ContentPart, Message, ToolCallPart } from '#llm/types.ts';

/** A call as added to the history, and the problem with the original. */
export interface CheckedCall {
	call: ToolCallPart;
	/** If present, the call is not executed but answered with this text (002 F-007). */
	problem?: string;
}

export interface CheckedMessage {
	message: Message;
	calls: CheckedCall[];
}

/**
 * Checks a response before it becomes part of the history. Every call stays and is paired with a result, because
 * providers refuse unpaired calls: a call whose arguments are not valid JSON gets `{}`, and a second call with the same
 * id in one response gets a new id; neither is run.
 *
 * A call that reuses an id of an earlier response (some servers count from 0 each time) also gets a new id, but is run:
 * the model did nothing wrong. Schemas are checked when the tools are run.
 *
 * @param usedIds ids of the whole conversation; new ones are added
 */
export function checkResponse(message: Message, usedIds: Set<string>): CheckedMessage {
	const calls: CheckedCall[] = [];
	const here = new Set<string>();
	const content = contentParts(message.content).map((part): ContentPart => {
		if (part.type !== 'tool_call') return part;
		const checked = checkCall(part, here, usedIds);
		here.add(part.id);
		here.add(checked.call.id);
		usedIds.add(checked.call.id);
		calls.push(checked);
		return checked.call;
	});
	return { message: { role: 'assistant', content: content.filter(hasSubstance) }, calls };
}

function checkCall(part: ToolCallPart, here: Set<string>, usedIds: Set<string>): CheckedCall {
	const call: ToolCallPart = { ...part, name: part.name || 'unknown_tool', arguments: objectOrEmpty(part.arguments) };
	if (part.id === '' || here.has(part.id) || usedIds.has(part.id))
		call.id = `call_${crypto.randomUUID().replaceAll('-', '')}`;
	if (part.id !== '' && here.has(part.id)) return { call, problem: `the id ${part.id} is used twice` };
	if (!part.name) return { call, problem: 'the tool has no name' };
	if (part.rawArguments !== undefined && !isJsonObject(part.rawArguments)) {
		call.arguments = {};
		return { call, problem: 'the arguments are not a valid JSON object' };
	}
	return { call };
}

/** Result for an invalid call (002 F-007). */
export function invalidCallResult(problem: string): string {
	return `Invalid tool call format: ${problem}. Please retry with correct format.`;
}

/** Converts content that is plain text or missing, as some servers send it, to parts. */
function contentParts(content: unknown): ContentPart[] {
	if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
	if (!Array.isArray(content)) return [];
	return content.filter((part): part is ContentPart => typeof part === 'object' && part !== null && 'type' in part);
}

function hasSubstance(part: ContentPart): boolean {
	return part.type !== 'text' || part.text !== '';
}

function objectOrEmpty(value: unknown): Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function isJsonObject(text: string): boolean {
	// A tool without parameters is often called with an empty text.
	if (text.trim() === '') return true;
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === 'object' && value !== null && !Array.isArray(value);
	} catch {
		return false;
	}
}
