import type { Client, ContentPart, Message } from '#llm/types.ts';
import { summaryMessage } from './conversation.ts';
import { errorData } from './error-data.ts';
import {
	fileOperations,
	picturesOf,
	renderForSummary,
	userWords,
	withoutRecords,
	type Picture
} from './compaction-text.ts';
import { estimateTokens } from './token-estimate.ts';
import { renderWork, type WorkInHand } from './work-in-hand.ts';
import { writeSummary } from './write-summary.ts';

/** 003 §6.1 */
export const RESERVE_TOKENS = 16_384;
export const KEEP_RECENT_TOKENS = 20_000;
/** Limit for a tool result that is kept when the summary failed. */
const FALLBACK_RESULT_CHARACTERS = 2_000;
/** Minimum length of the text to summarize: it is not shortened further. Characters. */
const LEAST_SUMMARIZED_CHARACTERS = 4_000;

export const SUMMARY_HEADINGS = [
	'## Goal',
	'## Constraints & Preferences',
	'## Progress',
	'## Key Decisions',
	'## Next Steps',
	'## Critical Context'
] as const;

export interface CompactionRequest {
	client: Client;
	provider: string;
	model: string;
	messages: readonly Message[];
	/** Messages with the role `user` that the user did not write, such as reminders. */
	notices?: ReadonlySet<Message>;
	/** Paths changed by tools and commands, which cannot be derived from the calls alone. */
	changedFiles?: readonly string[];
	work?: WorkInHand;
	/** Shows the pictures to the summarizing model so that it describes them. Default false. */
	sendPictures?: boolean;
	/** Recent messages to keep unchanged, in tokens. */
	keepTokens?: number;
	/** The conversation did not fit the context window: if nothing can be summarized, tool outputs are cut. */
	isOverflow?: boolean;
	/** Alternative to `keepTokens`: the number of recent messages to keep. */
	windowSize?: number;
	/** The summary of an earlier compaction, which is updated. */
	previousSummary?: string;
	/** Neutral name of a tool as the model calls it. */
	neutralName(toolName: string): string;
	signal?: AbortSignal;
}

export type CompactionOutcome =
	| {
			kind: 'summarized';
			summary: string;
			kept: Message[];
			messages: Message[];
			beforeTokens: number;
			afterTokens: number;
	  }
	/** No summary was obtained: tool outputs are cut instead. */
	| { kind: 'cut'; messages: Message[]; beforeTokens: number; afterTokens: number; reason: string }
	| { kind: 'nothing' };

/** Returns true if the next request would leave too little room (003 §6.1). */
export function shouldCompact(usedTokens: number, windowTokens: number): boolean {
	// A quarter for small windows, which the reserve alone would fill.
	return windowTokens > 0 && usedTokens > windowTokens - Math.min(RESERVE_TOKENS, windowTokens / 4);
}

/**
 * Replaces all but the recent messages by a summary. The user's own words stay unchanged up to a limit, which the
 * summary mentions. A failed summary is not retried: tool outputs are truncated instead.
 */
export async function compact(request: CompactionRequest): Promise<CompactionOutcome> {
	const { messages, signal, previousSummary, neutralName } = request;
	const system = messages.filter(({ role }) => role === 'system');
	const talk = messages.filter(({ role }) => role !== 'system');
	const cut = cutPoint(talk, request);
	if (cut <= (previousSummary === undefined ? 0 : 1))
		return request.isOverflow ? cutEverywhere(messages) : { kind: 'nothing' };
	const beforeTokens = estimateTokens(messages);
	const recent = talk.slice(cut);
	const { isOverflow = false, keepTokens = KEEP_RECENT_TOKENS } = request;
	// A single message can exceed the whole budget.
	const kept = isOverflow && estimateTokens(recent) > keepTokens ? cutToolOutputs(recent, []) : recent;
	const dropped = talk.slice(previousSummary === undefined ? 0 : 1, cut);
	try {
		const text = await summarize(request, dropped, kept[0]?.role !== 'user');
		if (text === '') throw new Error('The model gave an empty summary.');
		const records = [
			userWords(dropped, request.notices, previousSummary),
			fileOperations(dropped, neutralName, { previous: previousSummary, changed: request.changedFiles }),
			request.work ? renderWork(request.work) : ''
		];
		const summary = [text, ...records].filter(Boolean).join('\n\n');
		const result = [...system, summaryMessage(summary), ...kept];
		return { kind: 'summarized', summary, kept, messages: result, beforeTokens, afterTokens: estimateTokens(result) };
	} catch (error) {
		if (signal?.aborted) throw error;
		const result = cutToolOutputs(messages, isOverflow ? [] : recent);
		const reason = error instanceof Error ? error.message : String(error);
		return { kind: 'cut', messages: result, beforeTokens, afterTokens: estimateTokens(result), reason };
	}
}

/** Index of the first message to keep: never a tool result, which must follow its call. */
export function cutPoint(
	messages: readonly Message[],
	{ keepTokens = KEEP_RECENT_TOKENS, windowSize }: Pick<CompactionRequest, 'keepTokens' | 'windowSize'>
): number {
	let index = messages.length;
	if (windowSize !== undefined) index = Math.max(0, messages.length - windowSize);
	else
		for (let tokens = 0; index > 0; index--) {
			tokens += estimateTokens([messages[index - 1] as Message]);
			if (tokens > keepTokens) break;
		}
	while (index > 0 && (index >= messages.length || messages[index]?.role === 'tool')) index--;
	return index;
}

/**
 * Requests the summary. If that request is itself too long, it is repeated without the middle of the conversation.
 *
 * @throws ProviderError as `complete` does
 */
async function summarize(request: CompactionRequest, dropped: readonly Message[], splitTurn: boolean): Promise<string> {
	const { client, provider, model, previousSummary, notices, signal } = request;
	let pictures = request.sendPictures ? picturesOf(dropped) : [];
	let conversation = renderForSummary(dropped, { notices, pictures });
	for (;;) {
		try {
			const prompt = summaryPrompt(conversation, { previous: previousSummary, splitTurn, pictures });
			// The records are added separately; a copy by the model would duplicate them.
			return withoutRecords(await writeSummary(client, { provider, model }, prompt, pictures, signal));
		} catch (error) {
			const { code } = errorData(error);
			if (pictures.length > 0 && (code === 'context_length' || code === 'invalid_request')) {
				pictures = [];
				conversation = renderForSummary(dropped, { notices, pictures });
				continue;
			}
			if (code !== 'context_length' || conversation.length < LEAST_SUMMARIZED_CHARACTERS) throw error;
			conversation = withoutMiddle(conversation, conversation.length / 2);
		}
	}
}

function summaryPrompt(
	conversation: string,
	{ previous, splitTurn, pictures }: { previous: string | undefined; splitTurn: boolean; pictures: readonly Picture[] }
): string {
	const headings = SUMMARY_HEADINGS.join('\n');
	const task =
		previous === undefined
			? `Summarize the conversation below under exactly these headings:\n\n${headings}`
			: `Update the summary below with what happened since, under the same headings:\n\n${headings}\n\n` +
				`Keep what still holds, move what is finished to Done, drop only what no longer matters.\n\n` +
				`<previous-summary>\n${withoutRecords(previous)}\n</previous-summary>`;
	return [
		task,
		'Under Progress list Done, In Progress and Blocked. Name files, commands, errors and approaches that failed exactly.',
		'Lines marked [reminder] are automatic notes, not wishes of the user. What the user said, the files touched, the task list and running processes are added to your summary word for word; do not copy them.',
		pictures.length > 0
			? 'The numbered pictures follow the conversation in order. Under Critical Context describe each in a line, with what was said about it: the description is all that stays of it.'
			: '',
		splitTurn
			? 'The conversation breaks off in the middle of a step; its last part follows unsummarized. Under Critical Context say what that step is for and what it has found so far.'
			: '',
		`<conversation>\n${conversation}\n</conversation>`
	]
		.filter(Boolean)
		.join('\n\n');
}

/** Used when no message can be dropped; if all tool outputs are short already, nothing helps. */
function cutEverywhere(messages: readonly Message[]): CompactionOutcome {
	const result = cutToolOutputs(messages, []);
	const [beforeTokens, afterTokens] = [estimateTokens(messages), estimateTokens(result)];
	if (afterTokens >= beforeTokens) return { kind: 'nothing' };
	return { kind: 'cut', messages: result, beforeTokens, afterTokens, reason: 'the last messages alone are too long' };
}

function cutToolOutputs(messages: readonly Message[], kept: readonly Message[]): Message[] {
	const recent = new Set(kept);
	return messages.map((message) =>
		message.role !== 'tool' || recent.has(message)
			? message
			: { role: message.role, content: message.content.map(shortenResult) }
	);
}

function shortenResult(part: ContentPart): ContentPart {
	if (part.type !== 'tool_result' || part.content.length <= FALLBACK_RESULT_CHARACTERS) return part;
	const { images: _images, ...rest } = part;
	return { ...rest, content: withoutMiddle(part.content, FALLBACK_RESULT_CHARACTERS) };
}

function withoutMiddle(text: string, maxOutputCharacters: number): string {
	const half = Math.floor(maxOutputCharacters / 2);
	const removed = text.length - 2 * half;
	return `${text.slice(0, half)}\n[... ${removed} characters removed to save context ...]\n${text.slice(-half)}`;
}
