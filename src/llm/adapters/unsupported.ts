import { InvalidRequestError, providerLabel } from '../errors.ts';
import type { ContentPart, Message } from '../types.ts';
import type { AdapterConfig } from './adapter.ts';

/**
 * Removes parts that a wire format cannot represent. In the newest user message they cause an error, thrown before
 * anything is sent; in earlier messages, which were refused or sent to another model, a note replaces them, so that the
 * conversation can continue. Messages without such parts are returned unchanged.
 *
 * @param refused returns the kind of an unsupported part, e.g. `documents`; `null` for a supported one
 * @throws InvalidRequestError
 */
export function withoutUnsupported(
	config: AdapterConfig,
	messages: readonly Message[],
	refused: (part: ContentPart) => string | null
): readonly Message[] {
	const newest = messages.findLastIndex(({ role }) => role === 'user');
	// A plain check first: the whole history is converted for each request.
	if (!messages.some(({ content }) => content.some((part) => refused(part) !== null))) return messages;
	return messages.map((message, index) => {
		const content = message.content.map((part) => {
			const what = refused(part);
			if (what === null) return part;
			if (index === newest) throw unsupported(config, what);
			return withNote(part, `[Left out: ${providerLabel(config.name)} cannot take ${what}.]`);
		});
		return { ...message, content };
	});
}

function withNote(part: ContentPart, note: string): ContentPart {
	if (part.type !== 'tool_result') return { type: 'text', text: note };
	const { images: _images, ...result } = part;
	return { ...result, content: result.content === '' ? note : `${result.content}\n${note}` };
}

/** Error for content that a wire format cannot represent, thrown before anything is sent. */
export function unsupported(config: AdapterConfig, what: string): InvalidRequestError {
	return new InvalidRequestError({
		provider: config.name,
		message: `${providerLabel(config.name)} cannot take ${what}. Remove it or choose another model.`
	});
}
