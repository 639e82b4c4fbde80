import type { ToolCallPart } from '../types.ts';

/** Cache by call: each call is part of every later request of its session, always as the same object. */
const texts = new WeakMap<ToolCallPart, string>();

/** A call's arguments as JSON text, for wire formats that use it. */
export function argumentsText(call: ToolCallPart): string {
	let text = texts.get(call);
	if (text === undefined) {
		text = JSON.stringify(call.arguments);
		texts.set(call, text);
	}
	return text;
}
