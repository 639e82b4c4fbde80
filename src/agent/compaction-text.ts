import type { ContentPart, ImagePart, ImageUrlPart, Message } from '#llm/types.ts';

/** Limit for the user's own words in a summary. */
const USER_WORDS_CHARACTERS = 20_000;
/** Limit for one message of the user: one pasted log must not push out everything else. */
const USER_MESSAGE_CHARACTERS = 8_000;
/** Limit for one tool result in the text to summarize. */
const RESULT_CHARACTERS = 2_000;
/** Number of pictures shown to the summarizing model, the newest first; each costs about 1,200 tokens. */
const MAX_PICTURES = 10;
/** Limit for each list of files; the newest paths are kept. */
const MAX_PATHS = 200;

const BETWEEN_MESSAGES = '\n---\n';
const RECORDS = ['user-messages', 'read-files', 'modified-files', 'work-in-hand'];

export type Picture = ImagePart | ImageUrlPart;

/** Options for rendering a conversation to the summarizing model. */
interface RenderOptions {
	/** Messages rendered as reminders instead of the user's words. */
	notices?: ReadonlySet<Message> | undefined;
	/** Pictures shown to the model, numbered by their index here. */
	pictures?: readonly Picture[];
}

/** Returns the newest pictures of a conversation, including those that tools returned, in order. */
export function picturesOf(messages: readonly Message[]): Picture[] {
	const all = messages.flatMap(({ content }) =>
		content.flatMap((part): Picture[] => {
			if (part.type === 'image' || part.type === 'image_url') return [part];
			return part.type === 'tool_result' ? (part.images ?? []) : [];
		})
	);
	return all.slice(-MAX_PICTURES);
}

/** Renders the conversation as plain text, so that a model summarizes it instead of continuing it. */
export function renderForSummary(messages: readonly Message[], options: RenderOptions = {}): string {
	const { notices, pictures = [] } = options;
	return messages
		.map((message) => {
			const speaker = notices?.has(message) ? 'reminder' : message.role;
			return message.content.map((part) => renderPart(speaker, part, pictures)).join('\n');
		})
		.join('\n\n');
}

function renderPart(speaker: string, part: ContentPart, pictures: readonly Picture[]): string {
	switch (part.type) {
		case 'text':
			return `[${speaker}]: ${part.text}`;
		case 'tool_call':
			return `[assistant calls ${part.name}]: ${shorten(JSON.stringify(part.arguments))}`;
		case 'tool_result': {
			const images = (part.images ?? []).map((image) => ` [with ${pictureName(image, pictures)}]`).join('');
			return `[result of ${part.toolName}${part.isError ? ', an error' : ''}]: ${shorten(part.content)}${images}`;
		}
		case 'image':
		case 'image_url':
			return `[${speaker} attached ${pictureName(part, pictures)}]`;
		case 'audio':
			return `[${speaker} attached a recording]`;
		case 'document':
			return `[${speaker} attached ${part.name ?? 'a document'}]`;
		case 'thinking':
		case 'redacted_thinking':
		case 'opaque':
			return '';
	}
}

function pictureName(picture: Picture, shown: readonly Picture[]): string {
	const index = shown.indexOf(picture);
	return index === -1 ? 'a picture' : `picture ${index + 1}`;
}

/** Removes the blocks of a summary that are carried over word for word. */
export function withoutRecords(summary: string): string {
	return RECORDS.reduce((text, name) => text.replace(record(name), ''), summary).trim();
}

/** Matches a block of a summary up to its last end tag: what it quotes may contain one. */
function record(name: string): RegExp {
	return new RegExp(`^<${name}(?: [^>]*)?>\\n([\\s\\S]*)\\n</${name}>$`, 'm');
}

/**
 * Returns the user's messages word for word. A long message loses its middle; if the total is too large, the
 * oldest messages are dropped except the first, which states the task. Both omissions are marked.
 */
export function userWords(messages: readonly Message[], notices?: ReadonlySet<Message>, previous = ''): string {
	const texts = messages
		.filter((message) => message.role === 'user' && !notices?.has(message))
		.map(({ content }) => content.map(wordsOf).filter(Boolean).join('\n'))
		.filter((text) => text.trim() !== '')
		.map(withoutMiddle);
	const earlier = record('user-messages').exec(previous)?.[1]?.split(BETWEEN_MESSAGES) ?? [];
	const [first, ...later] = [...earlier, ...texts];
	if (first === undefined) return '';
	let removed = 0;
	let length = first.length + later.reduce((sum, text) => sum + text.length + BETWEEN_MESSAGES.length, 0);
	while (length > USER_WORDS_CHARACTERS && later.length > 1) {
		const gone = (later.shift()?.length ?? 0) + BETWEEN_MESSAGES.length;
		removed += gone;
		length -= gone;
	}
	const note = removed > 0 ? ` removed="${removed} characters after the first message"` : '';
	return `<user-messages${note}>\n${[first, ...later].join(BETWEEN_MESSAGES)}\n</user-messages>`;
}

function wordsOf(part: ContentPart): string {
	if (part.type === 'text') return part.text;
	if (part.type === 'image' || part.type === 'image_url') return '[a picture]';
	return part.type === 'document' ? `[${part.name ?? 'a document'}]` : '';
}

function withoutMiddle(text: string): string {
	const removed = text.length - USER_MESSAGE_CHARACTERS;
	if (removed <= 0) return text;
	const half = USER_MESSAGE_CHARACTERS / 2;
	return `${text.slice(0, half)}\n[… ${removed} characters of this message removed …]\n${text.slice(-half)}`;
}

/**
 * Files read and changed, so that the model need not find them again (003 §6.2).
 *
 * @param known.previous summary whose lists are continued
 * @param known.changed paths that the journal reported as changed, by any means
 */
export function fileOperations(
	messages: readonly Message[],
	neutralName: (toolName: string) => string,
	{ previous = '', changed = [] }: { previous?: string | undefined; changed?: readonly string[] | undefined } = {}
): string {
	// The user's words may quote such a list.
	const lists = previous.replace(record('user-messages'), '');
	const read = new Set(lines(record('read-files').exec(lists)?.[1]));
	const modified = new Set(lines(record('modified-files').exec(lists)?.[1]));
	for (const { content } of messages)
		for (const part of content) {
			if (part.type !== 'tool_call') continue;
			const name = neutralName(part.name);
			const paths = pathsOf(part.arguments);
			if (/^read/.test(name)) for (const path of paths) addNewest(read, path);
			if (/^(write|edit|apply_patch)/.test(name)) for (const path of paths) addNewest(modified, path);
		}
	// The model may have named the same file by a longer path.
	const named = [...modified];
	for (const path of new Set(changed))
		if (!named.some((name) => name === path || name.endsWith(`/${path}`))) addNewest(modified, path);
	for (const path of modified) read.delete(path);
	return [list('read-files', read), list('modified-files', modified)].filter(Boolean).join('\n');
}

function addNewest(paths: Set<string>, path: string): void {
	paths.delete(path);
	paths.add(path);
}

function pathsOf(args: Record<string, unknown>): string[] {
	const path = args['file_path'] ?? args['path'];
	if (typeof path === 'string') return [path];
	const several = args['paths'] ?? args['include'];
	if (Array.isArray(several)) return several.filter((each) => typeof each === 'string');
	const patch = args['patch'] ?? args['input'];
	if (typeof patch !== 'string') return [];
	return [...patch.matchAll(/^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm)].map((match) => match[1] ?? '');
}

function list(kind: string, paths: ReadonlySet<string>): string {
	const newest = [...paths].slice(-MAX_PATHS);
	const omitted = paths.size - newest.length;
	const note = omitted > 0 ? ` omitted="${omitted} older"` : '';
	return newest.length === 0 ? '' : `<${kind}${note}>\n${newest.join('\n')}\n</${kind}>`;
}

function lines(text: string | undefined): string[] {
	return text === undefined ? [] : text.split('\n');
}

function shorten(text: string): string {
	return text.length <= RESULT_CHARACTERS ? text : `${text.slice(0, RESULT_CHARACTERS)} [… ${text.length} characters]`;
}
