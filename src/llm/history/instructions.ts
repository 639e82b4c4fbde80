import type { Message, Request } from '../types.ts';

/** Checks whether a message contains instructions rather than conversation. */
export function isInstruction({ role }: Message): boolean {
	return role === 'system' || role === 'developer';
}

/** All instructions as one text, for wire formats that keep them outside the conversation. */
export function instructionText(request: Request): string {
	const inHistory = request.messages.filter(isInstruction).map(textOf);
	return [request.system ?? '', ...inHistory].filter((text) => text !== '').join('\n\n');
}

export function textOf(message: Message): string {
	return message.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
