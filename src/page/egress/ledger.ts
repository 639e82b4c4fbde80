import type { WireRequest, WireResponse } from '../../environment/wasm/process/syscalls.ts';
import { refusal, type EgressRules } from './rules.ts';

/** One request of the sandbox, allowed or not. */
export interface LedgerEntry {
	id: number;
	/** Milliseconds since the epoch. */
	timestamp: number;
	/** Which tool asked: `fetch`, `curl`, `git`, `npm`. */
	purpose: string;
	method: string;
	url: string;
	host: string;
	sentBytes: number;
	receivedBytes: number;
	outcome: 'asking' | 'running' | 'done' | 'refused' | 'failed';
	/** HTTP status once there is one. */
	status?: number;
	/** Why it was refused or failed. */
	reason?: string;
}

export type HostDecision = 'once' | 'session' | 'deny';

/** A host that some program wants to reach, waiting for the person. */
export interface HostQuestion {
	id: number;
	host: string;
	purpose: string;
	url: string;
}

/** A program gets `ECONNREFUSED`, as from a network that does not let it out. */
export class EgressRefused extends Error {
	override readonly name = 'EgressRefused';
	readonly code = 'ECONNREFUSED';
}

const UNANSWERED_MS = 60_000;

/**
 * Everything that leaves the sandbox leaves through here: each request is written down, asked
 * about per host where nobody has yet, and only then sent.
 */
export class EgressLedger {
	readonly #send: (request: WireRequest) => Promise<WireResponse>;
	readonly #rules: () => Promise<EgressRules>;
	readonly #onReset: () => void;
	readonly #allowed = new Set<string>();
	/** Hosts that running commands were allowed, with how many. */
	readonly #passing = new Map<string, number>();
	#entries: LedgerEntry[] = [];
	readonly #open = new Map<
		string,
		{ question: HostQuestion; answer: (decision: HostDecision) => void; decided: Promise<HostDecision> }
	>();
	readonly #listeners = new Set<() => void>();
	#next = 1;

	/**
	 * @param send carries an allowed request out
	 * @param rules what is refused without asking
	 * @param onReset forgets what else belongs to the project, such as tokens
	 */
	constructor(
		send: (request: WireRequest) => Promise<WireResponse>,
		rules: () => Promise<EgressRules>,
		onReset: () => void = () => {}
	) {
		this.#send = send;
		this.#rules = rules;
		this.#onReset = onReset;
	}

	get entries(): readonly LedgerEntry[] {
		return this.#entries;
	}

	get questions(): HostQuestion[] {
		return [...this.#open.values()].map(({ question }) => question);
	}

	/** Hosts that need no further question in this session. */
	get allowedHosts(): string[] {
		return [...this.#allowed];
	}

	/** The person has named this host themselves, for example as where to import from. */
	allow(host: string): void {
		this.#allowed.add(host);
		this.#changed();
	}

	/** Allows hosts until the function returned is called, for a command whose question named them. */
	allowDuring(hosts: readonly string[]): () => void {
		for (const host of hosts) this.#passing.set(host, (this.#passing.get(host) ?? 0) + 1);
		let isOver = false;
		return () => {
			if (isOver) return;
			isOver = true;
			for (const host of hosts) {
				const left = (this.#passing.get(host) ?? 1) - 1;
				if (left > 0) this.#passing.set(host, left);
				else this.#passing.delete(host);
			}
		};
	}

	/** Takes a permission back: the next request to this host is asked about again. */
	revoke(host: string): void {
		this.#allowed.delete(host);
		this.#changed();
	}

	/** Forgets what was allowed and asked, for the next project. What is still open is refused. */
	reset(): void {
		this.#allowed.clear();
		this.#passing.clear();
		this.#onReset();
		this.#entries = this.#entries.filter(({ outcome }) => outcome === 'asking' || outcome === 'running');
		for (const { answer } of this.#open.values()) answer('deny');
		this.#changed();
	}

	decide(questionId: number, decision: HostDecision): void {
		for (const { question, answer } of this.#open.values()) if (question.id === questionId) answer(decision);
	}

	onChange(listener: () => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	/**
	 * A request of the sandbox. Rejects with {@link EgressRefused}, or with what the sending rejects with.
	 */
	async request(request: WireRequest): Promise<WireResponse> {
		return this.#carry(request, this.#send, false);
	}

	/**
	 * A request that the person has just asked the page for: it is written down as the others are, and not asked about.
	 * No program has a way to this one. Rejects as {@link request}.
	 *
	 * @param send carries it out, with what the sandbox must not see
	 */
	async requestAsPerson(
		request: WireRequest,
		send: (request: WireRequest) => Promise<WireResponse>
	): Promise<WireResponse> {
		return this.#carry(request, send, true);
	}

	async #carry(
		request: WireRequest,
		send: (request: WireRequest) => Promise<WireResponse>,
		asPerson: boolean
	): Promise<WireResponse> {
		const entry = this.#write(request);
		try {
			await this.#permit(request, entry, asPerson);
			entry.outcome = 'running';
			this.#changed();
			const response = await send(request);
			entry.outcome = 'done';
			entry.status = response.status;
			entry.receivedBytes = response.body.length;
			return response;
		} catch (error) {
			entry.outcome = error instanceof EgressRefused ? 'refused' : 'failed';
			entry.reason = error instanceof Error ? error.message : String(error);
			throw error;
		} finally {
			this.#changed();
		}
	}

	#write({ method, url, purpose, body }: WireRequest): LedgerEntry {
		const host = URL.canParse(url) ? new URL(url).host : '';
		const entry: LedgerEntry = {
			id: this.#next++,
			timestamp: Date.now(),
			purpose,
			method,
			url,
			host,
			sentBytes: body?.length ?? 0,
			receivedBytes: 0,
			outcome: 'asking'
		};
		this.#entries.push(entry);
		return entry;
	}

	async #permit({ url, purpose }: WireRequest, entry: LedgerEntry, asPerson: boolean): Promise<void> {
		const reason = refusal(url, await this.#rules());
		if (reason !== null) throw new EgressRefused(reason);
		const { host } = entry;
		if (asPerson || this.#allowed.has(host) || this.#passing.has(host)) return;
		const decision = await this.#ask({ id: entry.id, host, purpose, url });
		if (decision === 'deny')
			throw new EgressRefused(`${host} was not allowed. Allow it when asked, and run the command again.`);
		if (decision === 'session') this.#allowed.add(host);
	}

	/** Requests to one host that arrive together share one question. */
	#ask(question: HostQuestion): Promise<HostDecision> {
		const open = this.#open.get(question.host);
		if (open) return open.decided;
		let resolve: (decision: HostDecision) => void = () => {};
		const promise = new Promise<HostDecision>((settle) => (resolve = settle));
		const timer = setTimeout(() => resolve('deny'), UNANSWERED_MS);
		const decided = promise.finally(() => {
			clearTimeout(timer);
			this.#open.delete(question.host);
			this.#changed();
		});
		this.#open.set(question.host, { question, answer: resolve, decided });
		this.#changed();
		return decided;
	}

	#changed(): void {
		for (const listener of this.#listeners) listener();
	}
}
