import type { ContentPart, ImagePart, Message } from '#llm/types.ts';
import { AttachmentRefusedError } from './session-errors.ts';

/** Policy for pictures sent to the model. Plain data, stored with the session. */
export interface ImagePolicy {
	/** No picture is sent. */
	block?: boolean;
	/**
	 * Pictures read by tools are scaled down to this size if the host can. Bytes; default {@link
	 * DEFAULT_MAX_IMAGE_BYTES}.
	 */
	maxBytes?: number;
}

/** Upper limits of a picture. */
export interface ImageLimits {
	maxBytes: number;
	/** Length of the longer side in pixels. */
	maxSide: number;
}

/** Scales a picture down to the limits; `null` if it cannot. Provided by the host because it needs a codec. */
export type ScaleImage = (image: ImagePart, limits: ImageLimits) => Promise<ImagePart | null>;

/** Maximum side of a picture; larger ones are scaled down, since models see no more detail (003 §3.4). Pixels. */
export const MAX_IMAGE_SIDE = 2_000;
/** Maximum side that providers accept: they refuse a request with a larger picture. Pixels. */
export const PROVIDER_MAX_IMAGE_SIDE = 8_000;

/** Providers accept 5 MB per picture and count its base64 form, which is a third longer. */
export const DEFAULT_MAX_IMAGE_BYTES = (5 * 1024 * 1024 * 3) / 4;

/** Returns the reason why pictures are omitted from a request, or `null` if they are sent. */
export function reasonWithoutImages(policy: ImagePolicy, modelSeesImages: boolean): string | null {
	if (policy.block) return 'pictures are switched off in this session';
	return modelSeesImages ? null : 'this model sees no pictures';
}

/** Replaces each picture of the history by a sentence. Messages without pictures are returned unchanged. */
export function withoutImages(messages: readonly Message[], reason: string): Message[] {
	return messages.map((message) => {
		if (!message.content.some(hasImage)) return message;
		return { ...message, content: message.content.map((part) => withoutImage(part, reason)) };
	});
}

export function hasImage(part: ContentPart): boolean {
	if (part.type === 'image' || part.type === 'image_url') return true;
	return part.type === 'tool_result' && (part.images?.length ?? 0) > 0;
}

/**
 * Converts the user's message to parts.
 *
 * @throws AttachmentRefusedError for pictures that would not be sent
 */
export function acceptedContent(
	input: string | ContentPart[],
	policy: ImagePolicy,
	{ supportsImages }: { supportsImages: boolean }
): ContentPart[] {
	const content: ContentPart[] = typeof input === 'string' ? [{ type: 'text', text: input }] : input;
	const reason = reasonWithoutImages(policy, supportsImages);
	if (reason && content.some(hasImage)) throw new AttachmentRefusedError(reason);
	return content;
}

function withoutImage(part: ContentPart, reason: string): ContentPart {
	const note = `[A picture was left out: ${reason}.]`;
	if (part.type === 'image' || part.type === 'image_url') return { type: 'text', text: note };
	if (part.type !== 'tool_result' || !part.images?.length) return part;
	const { images: _images, ...rest } = part;
	return { ...rest, content: part.content === '' ? note : `${part.content}\n${note}` };
}
