import type { ContentPart, Message } from '#llm/types.ts';

/** Of the person's own words, in a summary. */
const USER_WORDS_CHARACTERS = 20_000;
/** Of one tool result, in what is summarized. */
const RESULT_CHARACTERS = 2_000;
const USER_WORDS = /<user-messages[^>]*>\n([\s\S]*?)\n<\/user-messages>/;
const FILE_LIST = (kind: string): RegExp => new RegExp(`<${kind}>\\n([\\s\\S]*?)\\n</${kind}>`);

/** The conversation as plain text, so that a model summarizes it instead of going on with it. */
export function renderForSummary(messages: readonly Message[]): string {
	return messages.map(({ role, content }) => content.map((part) => renderPart(role, part)).join('\n')).join('\n\n');
}

function renderPart(role: string, part: ContentPart): string {
	switch (part.type) {
		case 'text':
			return `[${role}]: ${part.text}`;
		case 'tool_call':
			return `[assistant calls ${part.name}]: ${shorten(JSON.stringify(part.arguments))}`;
		case 'tool_result':
			return `[result of ${part.toolName}${part.isError ? ', an error' : ''}]: ${shorten(part.content)}`;
		case 'image':
		case 'image_url':
			return `[${role} attached an image]`;
		case 'audio':
			return `[${role} attached a recording]`;
		case 'document':
			return `[${role} attached ${part.name ?? 'a document'}]`;
		case 'thinking':
		case 'redacted_thinking':
		case 'opaque':
			return '';
	}
}

/** What the person said, word for word; the oldest goes first when it is too much, and that is said. */
export function userWords(messages: readonly Message[], previous = ''): string {
	const said = messages
		.filter(({ role }) => role === 'user')
		.map(({ content }) => content.map((part) => (part.type === 'text' ? part.text : '')).join('\n'))
		.filter((text) => text.trim() !== '');
	const earlier = USER_WORDS.exec(previous)?.[1];
	const all = [...(earlier ? [earlier] : []), ...said].join('\n---\n');
	if (all === '') return '';
	const removed = all.length - USER_WORDS_CHARACTERS;
	const note = removed > 0 ? ` removed="the first ${removed} characters"` : '';
	return `<user-messages${note}>\n${removed > 0 ? all.slice(removed) : all}\n</user-messages>`;
}

/** Files read and changed, so that the model need not find them again (003 §6.2). */
export function fileOperations(
	messages: readonly Message[],
	neutralName: (toolName: string) => string,
	previous = ''
): string {
	const read = new Set(lines(FILE_LIST('read-files').exec(previous)?.[1]));
	const modified = new Set(lines(FILE_LIST('modified-files').exec(previous)?.[1]));
	for (const { content } of messages)
		for (const part of content) {
			if (part.type !== 'tool_call') continue;
			const name = neutralName(part.name);
			const paths = pathsOf(part.arguments);
			if (/^read/.test(name)) for (const path of paths) read.add(path);
			if (/^(write|edit|apply_patch)/.test(name)) for (const path of paths) modified.add(path);
		}
	for (const path of modified) read.delete(path);
	return [list('read-files', read), list('modified-files', modified)].filter(Boolean).join('\n');
}

function pathsOf(args: Record<string, unknown>): string[] {
	const path = args['file_path'] ?? args['path'];
	if (typeof path === 'string') return [path];
	const patch = args['patch'] ?? args['input'];
	if (typeof patch !== 'string') return [];
	return [...patch.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm)].map((match) => match[1] ?? '');
}

function list(kind: string, paths: ReadonlySet<string>): string {
	return paths.size === 0 ? '' : `<${kind}>\n${[...paths].join('\n')}\n</${kind}>`;
}

function lines(text: string | undefined): string[] {
	return text === undefined ? [] : text.split('\n');
}

function shorten(text: string): string {
	return text.length <= RESULT_CHARACTERS ? text : `${text.slice(0, RESULT_CHARACTERS)} [… ${text.length} characters]`;
}
