import type { ChatCompletionContentPart, ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { callIdMap, chatCallIds, mistralCallIds } from '../../history/call-ids.ts';
import { repairOrphans } from '../../history/orphans.ts';
import type { ImagePart, Message, Request } from '../../types.ts';
import type { AdapterConfig } from '../adapter.ts';
import { unsupported } from '../unsupported.ts';

/** History as chat messages. A tool message cannot hold images, so they follow in a user message. */
export function chatMessages(config: AdapterConfig, request: Request): ChatCompletionMessageParam[] {
	const callId = callIdMap(/mistral/i.test(`${config.name} ${config.baseUrl}`) ? mistralCallIds : chatCallIds);
	const messages: ChatCompletionMessageParam[] = [];
	if (request.system) messages.push({ role: 'system', content: request.system });
	for (const message of repairOrphans(request.messages)) {
		if (message.role === 'system') messages.push({ role: 'system', content: textOf(message) });
		else if (message.role === 'user') messages.push({ role: 'user', content: userContent(config, message) });
		else if (message.role === 'tool') pushResults(message);
		else pushAssistant(message);
	}
	return messages;

	function pushAssistant(message: Message): void {
		const calls = message.content.filter((part) => part.type === 'tool_call');
		const text = textOf(message);
		if (text === '' && calls.length === 0) return;
		messages.push({
			role: 'assistant',
			// Some servers refuse an assistant message without content, even beside calls.
			content: text,
			...(calls.length === 0
				? {}
				: {
						tool_calls: calls.map((part) => ({
							id: callId(part.id),
							type: 'function' as const,
							function: { name: part.name, arguments: JSON.stringify(part.arguments) }
						}))
					})
		});
	}

	function pushResults(message: Message): void {
		const images: ImagePart[] = [];
		for (const part of message.content) {
			if (part.type !== 'tool_result') continue;
			messages.push({ role: 'tool', tool_call_id: callId(part.callId), content: part.content });
			images.push(...(part.images ?? []));
		}
		if (images.length > 0) messages.push({ role: 'user', content: images.map(image) });
	}
}

function userContent(config: AdapterConfig, message: Message): string | ChatCompletionContentPart[] {
	if (message.content.every((part) => part.type === 'text')) return textOf(message);
	return message.content.flatMap((part): ChatCompletionContentPart[] => {
		if (part.type === 'text') return [{ type: 'text', text: part.text }];
		if (part.type === 'image') return [image(part)];
		if (part.type === 'document') throw unsupported(config, 'documents');
		return [];
	});
}

function textOf(message: Message): string {
	return message.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

function image(part: ImagePart): ChatCompletionContentPart {
	return { type: 'image_url', image_url: { url: `data:${part.mediaType};base64,${part.data}` } };
}
