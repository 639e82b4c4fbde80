import type { OfferedTool } from '#llm/scenario/offered-tool.ts';
import type { PlayedTurn } from '#llm/scenario/player.ts';

/** One provider's wire on the server's side. */
export interface WireFormat {
	name: string;
	/** Tells whether this path belongs to it. */
	serves(path: string): boolean;
	tools(body: unknown): OfferedTool[];
	/** Frames of a streamed response, in order; each is sent as a whole. */
	frames(turn: PlayedTurn, options: FrameOptions): string[];
	/** The same response in one piece, for a request that does not ask for a stream. */
	whole(turn: PlayedTurn, options: FrameOptions): unknown;
	/** Body of an error response, in the provider's own format. */
	failure(status: number, message: string): unknown;
}

export interface FrameOptions {
	model: string;
	/** Maximum number of characters per piece of text and arguments. */
	chunkCharacters: number;
	/** Makes ids of responses and items unique. */
	serial: number;
}

/** One server-sent event. */
export function sse(data: unknown, event?: string): string {
	const text = typeof data === 'string' ? data : JSON.stringify(data);
	return `${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`;
}
