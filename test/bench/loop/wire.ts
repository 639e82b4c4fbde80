/** What one response came to. */
export interface Turn {
	text: string;
	calls: { id: string; name: string; argumentsText: string }[];
}

/** One provider's wire, with the least code that speaks it. `Item` is one of its messages, `Event` one of its stream's. */
export interface BenchWire<Item, Event> {
	/** Below the server's address. */
	path: string;
	headers: Record<string, string>;
	prompt(text: string): Item;
	/** The request as it goes over the wire. */
	body(history: Item[]): unknown;
	/** The same request through the provider's SDK, opened once for a whole conversation. */
	sdk(url: string): Promise<(history: Item[]) => Promise<AsyncIterable<Event>>>;
	/** Adds an event to the turn. Calls back for each piece of text or arguments. */
	read(turn: Turn, event: Event, onDelta: (delta: string) => void): void;
	/** The response and the results of its calls, as the next request repeats them. */
	messages(turn: Turn, results: string[]): Item[];
}

/** How a conversation asks: with `fetch` alone or through the SDK. */
export type Ask<Item, Event> = (history: Item[]) => Promise<AsyncIterable<Event>>;
