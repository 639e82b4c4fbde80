import { createParser, type EventSourceMessage } from 'eventsource-parser';

/** One event: its data, and its name where it has one. */
export type ServerSentEvent = Pick<EventSourceMessage, 'data' | 'event'>;

/** More than any provider says in place of events. */
const STRAY_CHARACTERS = 16_384;

/** Cuts a response's bytes into server-sent events, however they arrive. One for each response. */
export class ServerSentEvents {
	/** The beginning of what is no part of any event: what a server says that answers with something else. */
	stray = '';
	readonly #decoder = new TextDecoder();
	#whole: ServerSentEvent[] = [];
	#endsInReturn = false;
	readonly #parser = createParser({
		onEvent: (event) => this.#whole.push(event),
		onError: ({ type, line }) => {
			if (type !== 'unknown-field' || line === undefined || this.stray.length > STRAY_CHARACTERS) return;
			this.stray += `${line.slice(0, STRAY_CHARACTERS)}\n`;
		}
	});

	/** Takes the next bytes. Returns the events they complete. */
	push(bytes: Uint8Array): ServerSentEvent[] {
		return this.#read(this.#decoder.decode(bytes, { stream: true }));
	}

	/** Says that no more bytes come. An event without the empty line behind it is none. */
	end(): ServerSentEvent[] {
		// A carriage return at the very end may have been the first half of a line's end.
		const events = this.#read(this.#decoder.decode() + (this.#endsInReturn ? '\n' : ''));
		this.#parser.reset({ consume: true });
		return events;
	}

	#read(text: string): ServerSentEvent[] {
		if (text === '') return [];
		this.#endsInReturn = text.endsWith('\r');
		this.#parser.feed(text);
		const whole = this.#whole;
		this.#whole = [];
		return whole;
	}
}
