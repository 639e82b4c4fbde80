import type { ChatCompletionContentPart, ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { callIdMap, chatCallIds, mistralCallIds } from '../../history/call-ids.ts';
import { argumentsText } from '../../history/arguments-text.ts';
import { isInstruction, textOf } from '../../history/instructions.ts';
import { repairOrphans } from '../../history/orphans.ts';
import type { ChatQuirks } from '../../compatible/quirks.ts';
import type { AudioPart, ContentPart, ImagePart, Message, Request, ThinkingPart } from '../../types.ts';
import { type AdapterConfig, mayReturn } from '../adapter.ts';
import { withoutUnsupported } from '../unsupported.ts';

/**
 * Inserted between a tool result and the next user message, for servers that require an assistant message
 * there.
 */
const AFTER_TOOL = 'Noted.';

/**
 * Converts the history to chat messages. A tool message cannot contain images, so they follow in a user
 * message.
 */
export function chatMessages(
	config: AdapterConfig,
	request: Request,
	quirks: ChatQuirks
): ChatCompletionMessageParam[] {
	const callId = callIdMap(quirks.callIds === 'nine' ? mistralCallIds : chatCallIds);
	const messages: ChatCompletionMessageParam[] = [];
	if (request.system) messages.push({ role: 'system', content: request.system });
	for (const message of withoutUnsupported(config, repairOrphans(request.messages), refused)) {
		if (isInstruction(message)) messages.push({ role: 'system', content: textOf(message) });
		else if (message.role === 'user') pushUser(userContent(message));
		else if (message.role === 'tool') pushResults(message);
		else pushAssistant(message);
	}
	return messages;

	function pushUser(content: string | ChatCompletionContentPart[]): void {
		if (quirks.assistantAfterTool && messages.at(-1)?.role === 'tool')
			messages.push({ role: 'assistant', content: AFTER_TOOL });
		messages.push({ role: 'user', content });
	}

	function pushAssistant(message: Message): void {
		const calls = message.content.filter((part) => part.type === 'tool_call');
		const thought = message.content
			.filter((part): part is ThinkingPart => part.type === 'thinking' && mayReturn(config, request, part.provider))
			.map((part) => part.text)
			.join('\n');
		const words = textOf(message);
		const text = quirks.thinking === 'tags' && thought ? `<thinking>\n${thought}\n</thinking>\n${words}` : words;
		if (text === '' && calls.length === 0) return;
		const assistant: ChatCompletionMessageParam = {
			role: 'assistant',
			// Some servers refuse an assistant message without content, even with tool calls.
			content: text
		};
		if (calls.length > 0)
			assistant.tool_calls = calls.map((part) => ({
				id: callId(part.id),
				type: 'function' as const,
				function: { name: part.name, arguments: argumentsText(part) }
			}));
		messages.push(
			quirks.thinking === 'reasoning_content' && thought
				? Object.assign(assistant, { reasoning_content: thought })
				: assistant
		);
	}

	function pushResults(message: Message): void {
		const images: ImagePart[] = [];
		for (const part of message.content) {
			if (part.type !== 'tool_result') continue;
			const name = quirks.toolName ? { name: part.toolName } : {};
			messages.push({ role: 'tool', tool_call_id: callId(part.callId), content: part.content, ...name });
			images.push(...(part.images ?? []));
		}
		if (images.length > 0) pushUser(images.map(image));
	}
}

function userContent(message: Message): string | ChatCompletionContentPart[] {
	if (message.content.every((part) => part.type === 'text')) return textOf(message);
	return message.content.flatMap((part): ChatCompletionContentPart[] => {
		if (part.type === 'text') return [{ type: 'text', text: part.text }];
		if (part.type === 'image') return [image(part)];
		if (part.type === 'image_url') return [{ type: 'image_url', image_url: { url: part.url } }];
		if (part.type === 'audio') return audio(part);
		return [];
	});
}

/** The two formats that the API supports. */
const audioFormats: Record<string, 'wav' | 'mp3'> = { 'audio/wav': 'wav', 'audio/mpeg': 'mp3', 'audio/mp3': 'mp3' };

function refused(part: ContentPart): string | null {
	if (part.type === 'document') return 'documents';
	return part.type === 'audio' && !audioFormats[part.mediaType] ? `${part.mediaType} audio` : null;
}

function audio({ mediaType, data }: AudioPart): ChatCompletionContentPart[] {
	const format = audioFormats[mediaType];
	return format ? [{ type: 'input_audio', input_audio: { data, format } }] : [];
}

function image(part: ImagePart): ChatCompletionContentPart {
	return { type: 'image_url', image_url: { url: `data:${part.mediaType};base64,${part.data}` } };
}
