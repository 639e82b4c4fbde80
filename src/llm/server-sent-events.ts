import { createParser, type EventSourceMessage } from 'eventsource-parser';

/** One event: its data, and its name if it has one. */
export type ServerSentEvent = Pick<EventSourceMessage, 'data' | 'event'>;

/** Maximum length of the stray text: longer than any error message that a provider sends in place of events. */
const STRAY_CHARACTERS = 16_384;

/** Splits the bytes of one response into server-sent events, for any chunk boundaries. */
export class ServerSentEvents {
	/**
	 * Beginning of the text that is not part of any event, e.g. the error message of a server that does not
	 * stream.
	 */
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

	/** Adds the next bytes. Returns the events they complete. */
	push(bytes: Uint8Array): ServerSentEvent[] {
		return this.#read(this.#decoder.decode(bytes, { stream: true }));
	}

	/** Ends the stream. An event without the empty line after it is dropped. */
	end(): ServerSentEvent[] {
		// A carriage return at the very end may have been the first half of a line break.
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
