import type { Content, Part } from '@google/genai';
import { isInstruction } from '../../history/instructions.ts';
import { repairOrphans } from '../../history/orphans.ts';
import type { ContentPart, ImageUrlPart, Message, OpaqueData, Request, ToolResultPart } from '../../types.ts';
import { type AdapterConfig, mayReturn } from '../adapter.ts';
import { withoutUnsupported } from '../unsupported.ts';
import { foreignCallSignature, storedData } from './call-data.ts';

/**
 * Converts the history to alternating user and model contents. Results carry the name of their call, and its id
 * if Gemini set one.
 */
export function geminiContents(config: AdapterConfig, request: Request): Content[] {
	const contents: Content[] = [];
	/** Gemini's own call ids by ours. */
	const givenIds = new Map<string, string | undefined>();
	const needsSignature = request.model.startsWith('gemini-3');

	for (const message of withoutUnsupported(config, repairOrphans(request.messages), refused)) {
		if (isInstruction(message)) continue;
		const role = message.role === 'assistant' ? 'model' : 'user';
		const parts = role === 'model' ? modelParts(message) : message.content.flatMap(userParts);
		if (parts.length === 0) continue;
		const last = contents.at(-1);
		if (last?.role === role && last.parts) last.parts.push(...parts);
		else contents.push({ role, parts });
	}
	return contents;

	function own(data: OpaqueData | undefined) {
		if (!mayReturn(config, request, data)) return {};
		return storedData(data);
	}

	function modelParts(message: Message): Part[] {
		const parts: Part[] = [];
		for (const part of message.content) {
			if (part.type === 'text') {
				if (part.text !== '') parts.push({ text: part.text });
			} else if (part.type === 'thinking') {
				const { thoughtSignature } = own(part.provider);
				if (thoughtSignature) parts.push({ text: part.text, thought: true, thoughtSignature });
			} else if (part.type === 'opaque') {
				// The signature of the preceding text.
				const { thoughtSignature } = own(part.provider);
				const text = parts.at(-1);
				if (thoughtSignature && text?.text !== undefined) text.thoughtSignature = thoughtSignature;
			} else if (part.type === 'tool_call') {
				const { id, thoughtSignature } = own(part.provider);
				givenIds.set(part.id, id);
				const isFirst = !parts.some((each) => each.functionCall);
				const signature = thoughtSignature ?? (needsSignature && isFirst ? foreignCallSignature : undefined);
				parts.push({
					functionCall: { name: part.name, args: part.arguments, ...(id === undefined ? {} : { id }) },
					...(signature === undefined ? {} : { thoughtSignature: signature })
				});
			}
		}
		return parts;
	}

	function userParts(part: ContentPart): Part[] {
		if (part.type === 'text') return part.text === '' ? [] : [{ text: part.text }];
		if (part.type === 'image' || part.type === 'document' || part.type === 'audio') return [inline(part)];
		if (part.type === 'image_url') return byAddress(part);
		return part.type === 'tool_result' ? [response(part), ...(part.images ?? []).map(inline)] : [];
	}

	function response(part: ToolResultPart): Part {
		const id = givenIds.get(part.callId);
		return {
			functionResponse: {
				name: part.toolName,
				response: part.isError ? { error: part.content } : { output: part.content },
				...(id === undefined ? {} : { id })
			}
		};
	}
}

/** Gemini requires the media type of a linked image. */
function linkedType({ url, mediaType }: ImageUrlPart): string | undefined {
	return mediaType ?? imageTypes[/\.(\w+)(?:[?#]|$)/.exec(url)?.[1]?.toLowerCase() ?? ''];
}

function refused(part: ContentPart): string | null {
	return part.type === 'image_url' && linkedType(part) === undefined ? 'a linked image of unknown format' : null;
}

function byAddress(part: ImageUrlPart): Part[] {
	const mimeType = linkedType(part);
	return mimeType === undefined ? [] : [{ fileData: { fileUri: part.url, mimeType } }];
}

const imageTypes: Record<string, string> = {
	png: 'image/png',
	jpg: 'image/jpeg',
	jpeg: 'image/jpeg',
	gif: 'image/gif',
	webp: 'image/webp'
};

function inline(part: { mediaType: string; data: string }): Part {
	return { inlineData: { mimeType: part.mediaType, data: part.data } };
}
