/** Content of one response. */
export interface Turn {
	text: string;
	calls: { id: string; name: string; argumentsText: string }[];
}

/**
 * One provider's wire, with the least code that speaks it. `Item` is one of its messages, `Event` an event of its
 * stream.
 */
export interface BenchWire<Item, Event> {
	/** Path below the server's address. */
	path: string;
	headers: Record<string, string>;
	prompt(text: string): Item;
	/** The request as sent over the wire. */
	body(history: Item[]): unknown;
	/** The same request through the provider's SDK, which is opened once per conversation. */
	sdk(url: string): Promise<(history: Item[]) => Promise<AsyncIterable<Event>>>;
	/** Adds an event to the turn. Calls back for each piece of text or arguments. */
	read(turn: Turn, event: Event, onDelta: (delta: string) => void): void;
	/** The response and the results of its calls, as the next request repeats them. */
	messages(turn: Turn, results: string[]): Item[];
}

/** Sends a conversation: with plain `fetch` or through the SDK. */
export type Ask<Item, Event> = (history: Item[]) => Promise<AsyncIterable<Event>>;
