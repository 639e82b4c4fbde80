import type { ContentPart, Message, ToolCallPart } from '#llm/types.ts';

/** A call as it goes into the history, and what was wrong with it as it came. */
export interface CheckedCall {
	call: ToolCallPart;
	/** Present: it is not executed but answered with this (002 F-007). */
	problem?: string;
}

export interface CheckedMessage {
	message: Message;
	calls: CheckedCall[];
}

/**
 * Checks a response before it becomes part of the history. Every call stays and is paired with a
 * result, because providers refuse one that is not: a call whose arguments are no valid JSON has
 * `{}`, a second call under an id of the same response gets an id of its own; neither is run.
 *
 * A call that takes up an id of an earlier response (some servers count from 0 each time) gets a
 * fresh id too, but is run: the model did nothing wrong. Schemas are checked where tools are run.
 *
 * @param usedIds of the whole conversation; the new ones are added
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

/** A response whose content is plain text or nothing, as some servers send it, is no reason to fail. */
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
	// A tool without parameters is often called with no text at all.
	if (text.trim() === '') return true;
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === 'object' && value !== null && !Array.isArray(value);
	} catch {
		return false;
	}
}
