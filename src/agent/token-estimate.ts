import type { Message } from '#llm/types.ts';

/** Compaction's own estimate (J.12-1.1): a CJK character is about 2 tokens, a word about 1.3, an image 1,200. */
const CJK_TOKENS = 2;
const WORD_TOKENS = 1.3;
const IMAGE_TOKENS = 1200;
/** A run of letters is a word; text without spaces (base64, minified code) is priced by length. */
const LONGEST_WORD = 12;
const CJK = /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]/gu;

export function estimateTextTokens(text: string): number {
	const cjk = text.match(CJK)?.length ?? 0;
	let words = 0;
	for (const word of text.replace(CJK, ' ').split(/\s+/))
		if (word !== '') words += Math.max(1, word.length / LONGEST_WORD);
	return Math.round(cjk * CJK_TOKENS + words * WORD_TOKENS);
}

/** Estimates the tokens of a list of messages. */
export function estimateTokens(messages: readonly Message[]): number {
	let tokens = 0;
	for (const { content } of messages)
		for (const part of content) {
			if (part.type === 'text' || part.type === 'thinking') tokens += estimateTextTokens(part.text);
			else if (part.type === 'tool_call')
				tokens += estimateTextTokens(`${part.name} ${JSON.stringify(part.arguments)}`);
			else if (part.type === 'tool_result')
				tokens += estimateTextTokens(part.content) + (part.images?.length ?? 0) * IMAGE_TOKENS;
			else if (part.type === 'image' || part.type === 'image_url') tokens += IMAGE_TOKENS;
			else if (part.type === 'document' || part.type === 'audio' || part.type === 'redacted_thinking')
				tokens += Math.ceil(part.data.length / 4);
		}
	return tokens;
}
