import type { OfferedTool } from '#llm/scenario/offered-tool.ts';
import type { PlayedTurn } from '#llm/scenario/player.ts';

/** One provider's wire, as its server speaks it. */
export interface WireFormat {
	name: string;
	/** Whether this path belongs to it. */
	serves(path: string): boolean;
	tools(body: unknown): OfferedTool[];
	/** The frames of a streamed response, in order; each is sent whole. */
	frames(turn: PlayedTurn, options: FrameOptions): string[];
	/** The same response in one piece, for a request that does not ask for a stream. */
	whole(turn: PlayedTurn, options: FrameOptions): unknown;
	/** The body of a failure, in the provider's own form. */
	failure(status: number, message: string): unknown;
}

export interface FrameOptions {
	model: string;
	/** Pieces of text and arguments have at most this many characters. */
	chunkCharacters: number;
	/** Gives responses and items ids of their own. */
	serial: number;
}

/** One server-sent event. */
export function sse(data: unknown, event?: string): string {
	const text = typeof data === 'string' ? data : JSON.stringify(data);
	return `${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`;
}
