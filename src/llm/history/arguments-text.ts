import type { ToolCallPart } from '../types.ts';

/** A call is in every later request of its session, and the same object in all of them. */
const texts = new WeakMap<ToolCallPart, string>();

/** A call's arguments as the JSON text that some wires carry. */
export function argumentsText(call: ToolCallPart): string {
	let text = texts.get(call);
	if (text === undefined) {
		text = JSON.stringify(call.arguments);
		texts.set(call, text);
	}
	return text;
}
