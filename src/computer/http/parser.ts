import { headerValues } from './header-values.ts';
import { METHODS } from './methods.ts';
import { checkHeaders, checkLines } from './request-rules.ts';
import { HttpSyntaxError } from './syntax-error.ts';

/** First line and headers of one HTTP/1.1 message, names and values as received. */
export interface MessageHead {
	/** Requests only. */
	method: string;
	/** Requests only: what follows the method, usually a path. */
	target: string;
	/** Responses only; 0 in a request. */
	status: number;
	statusText: string;
	/** `1.1` and others that Node's parser accepts; `0.9` if missing. */
	version: string;
	headers: [name: string, value: string][];
}

export interface ParserEvents {
	/**
	 * @returns what follows: `message`: a body as its headers specify; `empty`: no body in any case (an answer to
	 * HEAD); `upgrade`: another protocol: nothing more is parsed, the bytes so far are in `rest`
	 */
	head(head: MessageHead): 'message' | 'empty' | 'upgrade';
	body(bytes: Uint8Array): void;
	end(trailers: [name: string, value: string][]): void;
}

type State = 'head' | 'fixed' | 'chunk size' | 'chunk' | 'chunk end' | 'trailers' | 'until close' | 'over';

const LONGEST_METHOD = Math.max(...METHODS.map(({ length }) => length));
const NO_SPACE = 'Expected space after method';
/** Versions that Node's parser accepts in requests. */
const VERSIONS = new Set(['0.9', '1.0', '1.1', '2.0']);
const MAX_HEAD_BYTES = 64 * 1024;
const MAX_CHUNK_LINE_BYTES = 4096;
const LF = 0x0a;
const CR = 0x0d;
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** Parses the HTTP/1.1 messages of one direction of a connection, as their bytes arrive. */
export class HttpParser {
	#state: State = 'head';
	#buffer: Uint8Array = new Uint8Array(0);
	/** Remaining bytes of the body or of this chunk. */
	#left = 0;
	#paused = false;
	#running = false;

	constructor(
		private readonly kind: 'request' | 'response',
		private readonly events: ParserEvents,
		private readonly maxHeadBytes = MAX_HEAD_BYTES
	) {}

	/** Unparsed input: after an upgrade, the beginning of the other protocol. */
	get rest(): Uint8Array {
		return this.#buffer;
	}

	/** No message has started. */
	get isBetweenMessages(): boolean {
		return this.#state === 'head' && this.#buffer.length === 0;
	}

	/** @throws HttpSyntaxError */
	write(bytes: Uint8Array): void {
		this.#buffer = this.#buffer.length > 0 ? join(this.#buffer, bytes) : bytes;
		this.#run();
	}

	/** Ends the input when the connection has ended. @throws HttpSyntaxError in the middle of a message */
	finish(): void {
		if (this.#state === 'until close') {
			this.#state = 'head';
			this.events.end([]);
		} else if (this.#state !== 'over' && !this.isBetweenMessages) {
			throw new HttpSyntaxError('HPE_INVALID_EOF_STATE', 'Invalid EOF state');
		}
	}

	/** Stops events until `resume`. */
	pause(): void {
		this.#paused = true;
	}

	resume(): void {
		this.#paused = false;
		this.#run();
	}

	#run(): void {
		if (this.#running) return;
		this.#running = true;
		try {
			while (!this.#paused && this.#step());
		} finally {
			this.#running = false;
		}
	}

	/** Parses one element, if there are enough bytes for it. */
	#step(): boolean {
		switch (this.#state) {
			case 'head':
				return this.#head();
			case 'fixed':
				return this.#data(() => this.#end([]));
			case 'chunk':
				return this.#data(() => (this.#state = 'chunk end'));
			case 'chunk size':
				return this.#chunkSize();
			case 'chunk end': {
				const line = this.#line(2, 'chunk data');
				if (line === null) return false;
				if (line !== '') throw new HttpSyntaxError('HPE_STRICT', 'Expected LF after chunk data');
				this.#state = 'chunk size';
				return true;
			}
			case 'trailers':
				return this.#trailers();
			case 'until close':
				return this.#data(() => {});
			case 'over':
				return false;
		}
	}

	#data(complete: () => void): boolean {
		if (this.#buffer.length === 0) return false;
		const bytes = this.#buffer.subarray(0, this.#left);
		this.#buffer = this.#buffer.subarray(bytes.length);
		this.#left -= bytes.length;
		this.events.body(bytes);
		if (this.#left === 0) complete();
		return true;
	}

	#chunkSize(): boolean {
		const line = this.#line(MAX_CHUNK_LINE_BYTES, 'chunk size');
		if (line === null) return false;
		const size = /^[0-9a-f]{1,12}(?=;|$)/i.exec(line)?.[0];
		if (size === undefined) throw new HttpSyntaxError('HPE_INVALID_CHUNK_SIZE', 'Invalid character in chunk size');
		this.#left = parseInt(size, 16);
		this.#state = this.#left === 0 ? 'trailers' : 'chunk';
		return true;
	}

	#trailers(): boolean {
		if (this.#buffer[0] === CR && this.#buffer.length < 2) return false;
		if (this.#buffer[0] === CR || this.#buffer[0] === LF) {
			this.#line(2, 'chunk data');
			this.#end([]);
			return true;
		}
		const text = this.#takeHead();
		if (text === null) return false;
		this.#end(parseHeaders(linesOf(text)));
		return true;
	}

	#head(): boolean {
		while (this.#buffer[0] === CR || this.#buffer[0] === LF) this.#buffer = this.#buffer.subarray(1);
		const text = this.#takeHead();
		if (text === null) {
			this.#checkFirstLine();
			return false;
		}
		const [first = '', ...lines] = linesOf(text);
		const start = this.#firstLine(first);
		if (this.kind === 'request') checkLines(text);
		const head = { ...start, headers: parseHeaders(lines) };
		if (this.kind === 'request') checkHeaders(head.headers);
		const follows = this.events.head(head);
		if (follows === 'upgrade') this.#state = 'over';
		else if (follows === 'empty') this.#end([]);
		else this.#expectBody(head);
		return true;
	}

	/** Refuses input that is not HTTP before all of its headers have arrived. @throws HttpSyntaxError */
	#checkFirstLine(): void {
		const at = this.#buffer.indexOf(LF);
		if (at >= 0) this.#firstLine(latin1(this.#buffer.subarray(0, at)).replace(/\r$/, ''));
		else if (this.kind === 'request') checkMethod(latin1(this.#buffer.subarray(0, LONGEST_METHOD + 1)));
	}

	#firstLine(line: string): Omit<MessageHead, 'headers'> {
		if (this.kind === 'request') {
			checkMethod(line);
			if (!line.includes(' ')) throw new HttpSyntaxError('HPE_INVALID_METHOD', NO_SPACE);
			// Without a version it is HTTP/0.9, whose requests had none.
			const [, method = '', target = '', end = ''] = /^(\S+) +(\S+)(.*)$/.exec(line) ?? [];
			if (target === '') throw new HttpSyntaxError('HPE_INVALID_URL', 'Unexpected start char in url');
			const [, version] = end === '' ? ['', '0.9'] : (/^ +HTTP\/(\d\.\d)$/.exec(end) ?? []);
			if (version === undefined) throw new HttpSyntaxError('HPE_INVALID_CONSTANT', 'Expected HTTP/, RTSP/ or ICE/');
			if (!VERSIONS.has(version)) throw new HttpSyntaxError('HPE_INVALID_VERSION', 'Invalid HTTP version');
			return { method, target, version, status: 0, statusText: '' };
		}
		const found = /^HTTP\/(1\.[01]) (\d{3})(?: (.*))?$/.exec(line);
		if (!found) throw new HttpSyntaxError('HPE_INVALID_CONSTANT', 'Expected HTTP/');
		const [, version = '', status = '', statusText = ''] = found;
		return { method: '', target: '', version, status: Number(status), statusText };
	}

	#expectBody({ headers, status }: MessageHead): void {
		const lengths = new Set(headerValues(headers, 'content-length'));
		const encodings = headerValues(headers, 'transfer-encoding');
		const isChunked = /(^|,)\s*chunked\s*$/i.test(encodings.join(','));
		if (isChunked) {
			if (lengths.size > 0) {
				throw new HttpSyntaxError(
					'HPE_UNEXPECTED_CONTENT_LENGTH',
					"Content-Length can't be present with chunked encoding"
				);
			}
			this.#state = 'chunk size';
			return;
		}
		if (this.kind === 'request' && encodings.length > 0)
			throw new HttpSyntaxError('HPE_INVALID_TRANSFER_ENCODING', 'Request has invalid `Transfer-Encoding`');
		const [length] = lengths;
		if (length !== undefined) {
			if (lengths.size > 1 || !/^\d{1,15}$/.test(length)) {
				throw new HttpSyntaxError('HPE_INVALID_CONTENT_LENGTH', 'Invalid character in Content-Length');
			}
			this.#left = Number(length);
			if (this.#left > 0 && !isBodiless(status)) this.#state = 'fixed';
			else this.#end([]);
		} else if (this.kind === 'request' || isBodiless(status)) this.#end([]);
		else {
			this.#left = Infinity;
			this.#state = 'until close';
		}
	}

	#end(trailers: [string, string][]): void {
		this.#state = 'head';
		this.events.end(trailers);
	}

	/** Removes the text up to and including the next empty line. */
	#takeHead(): string | null {
		const bytes = this.#buffer;
		for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) {
			const next = bytes[at + 1] === CR ? at + 2 : at + 1;
			if (bytes[next] !== LF) continue;
			if (at > this.maxHeadBytes) break;
			this.#buffer = bytes.subarray(next + 1);
			return latin1(bytes.subarray(0, next + 1));
		}
		if (bytes.length > this.maxHeadBytes) throw new HttpSyntaxError('HPE_HEADER_OVERFLOW', 'Header overflow');
		return null;
	}

	/**
	 * Removes the next line and returns it without its line ending.
	 * @param what name of the line, for the error of a request's line without CR
	 */
	#line(maxBytes: number, what: string): string | null {
		const at = this.#buffer.indexOf(LF);
		if (at < 0) {
			if (this.#buffer.length > maxBytes) throw new HttpSyntaxError('HPE_STRICT', 'Line too long');
			return null;
		}
		const line = latin1(this.#buffer.subarray(0, at));
		if (this.kind === 'request' && !line.endsWith('\r') && line.length < maxBytes)
			throw new HttpSyntaxError('HPE_CR_EXPECTED', `Missing expected CR after ${what}`);
		this.#buffer = this.#buffer.subarray(at + 1);
		return line.replace(/\r$/, '');
	}
}

/** Returns whether a response with this status has no body. */
export const isBodiless = (status: number) => (status >= 100 && status < 200) || status === 204 || status === 304;

/** Lines before the empty one, without their line endings. */
const linesOf = (text: string): string[] => text.split(/\r?\n/).slice(0, -2);

function parseHeaders(lines: string[]): [string, string][] {
	// A line that begins with a space continues the previous one.
	const whole: string[] = [];
	for (const line of lines) {
		if (/^[ \t]/.test(line) && whole.length > 0) whole.push(`${whole.pop()} ${line.trim()}`);
		else whole.push(line);
	}
	return whole.map((line) => {
		const at = line.indexOf(':');
		const name = line.slice(0, at);
		if (at < 1 || !TOKEN.test(name)) throw new HttpSyntaxError('HPE_INVALID_HEADER_TOKEN', 'Invalid header token');
		return [name, line.slice(at + 1).trim()];
	});
}

/** Refuses text that cannot become the first line of a request as early as possible. @throws HttpSyntaxError */
function checkMethod(start: string): void {
	const [word = ''] = start.split(' ');
	const isWhole = word.length < start.length;
	if (METHODS.some((method) => (isWhole ? method === word : method.startsWith(word)))) return;
	const isLonger = METHODS.some((method) => word.startsWith(method));
	throw new HttpSyntaxError('HPE_INVALID_METHOD', isLonger ? NO_SPACE : 'Invalid method encountered');
}

function latin1(bytes: Uint8Array): string {
	let text = '';
	for (const byte of bytes) text += String.fromCharCode(byte);
	return text;
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array {
	const both = new Uint8Array(first.length + second.length);
	both.set(first);
	both.set(second, first.length);
	return both;
}
