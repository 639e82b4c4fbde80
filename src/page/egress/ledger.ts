import type { WireRequest, WireResponse } from '#computer/abi/syscalls.ts';
import { PushPermissions, type ExpectedPush } from './push-permissions.ts';
import { EgressQuestions, type EgressDecision, type EgressQuestion } from './questions.ts';
import { EgressRefused } from './refused.ts';
import { refusal, type EgressRules } from './rules.ts';

/** One request of the sandbox, allowed or not. */
export interface LedgerEntry {
	id: number;
	/** Milliseconds since the epoch. */
	timestamp: number;
	/** Tool that sent the request: `fetch`, `curl`, `git`, `npm`. */
	purpose: string;
	method: string;
	url: string;
	host: string;
	sentBytes: number;
	receivedBytes: number;
	outcome: 'asking' | 'running' | 'done' | 'refused' | 'failed';
	/** HTTP status once there is one. */
	status?: number;
	/** Reason for a refusal or failure. */
	reason?: string;
}

/** Hosts that the project's lasting rules allow. */
export interface LastingHosts {
	readonly all: readonly string[];
	/** Set if one can be added that lasts longer than the session. */
	readonly canAdd: boolean;
	/** @param purpose tool that asked for it */
	add(host: string, purpose: string): void;
	remove(host: string): void;
}

/**
 * Everything that leaves the sandbox leaves through here: each request is written down, asked about per host where the
 * user has not decided yet, a push each time, and only then sent.
 */
export class EgressLedger {
	readonly #send: (request: WireRequest) => Promise<WireResponse>;
	readonly #rules: () => Promise<EgressRules>;
	readonly #onReset: () => void;
	readonly #allowed = new Set<string>();
	/** Hosts that running commands were allowed, with how many. */
	readonly #passing = new Map<string, number>();
	#lasting: LastingHosts | null = null;
	#entries: LedgerEntry[] = [];
	readonly #questions = new EgressQuestions(() => this.#changed());
	readonly #pushes = new PushPermissions(async (key, question) => {
		const answer = await this.#questions.ask(key, question);
		return answer === 'unanswered' ? 'deny' : answer;
	});
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

	get questions(): EgressQuestion[] {
		return this.#questions.list;
	}

	/** Hosts that need no further question. */
	get allowedHosts(): string[] {
		return [...new Set([...this.#allowed, ...(this.#lasting?.all ?? [])])];
	}

	/** Returns true if a host can be allowed for longer than the session. */
	get canAllowAlways(): boolean {
		return this.#lasting?.canAdd ?? false;
	}

	/** Takes over the rules of the project that was opened. @returns gives them up again */
	useLasting(hosts: LastingHosts): () => void {
		this.#lasting = hosts;
		this.#changed();
		return () => {
			if (this.#lasting !== hosts) return;
			this.#lasting = null;
			this.#changed();
		};
	}

	/** The user has named this host, for example as where to import from. */
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
		this.#lasting?.remove(host);
		this.#changed();
	}

	/** The user has just ordered this push from the page. @returns takes that back */
	expectPush(push: ExpectedPush): () => void {
		return this.#pushes.expect(push);
	}

	/** The user has given a repository's token for a push, so it may begin with it. */
	allowPushToken(repository: string): void {
		this.#pushes.allowToken(repository);
	}

	/** Asks whether a program may begin a push with a token that was given for reading. @throws EgressRefused */
	permitPushToken(repository: string): Promise<void> {
		return this.#pushes.permitToken(repository);
	}

	/** Forgets what was allowed and asked, for the next project. What is still open is refused. */
	reset(): void {
		this.#allowed.clear();
		this.#passing.clear();
		this.#pushes.reset();
		this.#onReset();
		this.#entries = this.#entries.filter(({ outcome }) => outcome === 'asking' || outcome === 'running');
		this.#questions.denyAll();
		this.#changed();
	}

	decide(questionId: number, decision: EgressDecision): void {
		this.#questions.decide(questionId, decision);
	}

	onChange(listener: () => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	/**
	 * A request of the sandbox. Rejects with {@link EgressRefused}, or with what the sending rejects with.
	 */
	async request(request: WireRequest): Promise<WireResponse> {
		return this.#carry(request, this.#send, 'program');
	}

	/**
	 * A request that the user has just asked the page for: it is written down as the others are, and not asked about.
	 * No program has a way to this one. Rejects as {@link request}.
	 *
	 * @param send carries it out, with what the sandbox must not see
	 */
	async requestAsUser(
		request: WireRequest,
		send: (request: WireRequest) => Promise<WireResponse>
	): Promise<WireResponse> {
		return this.#carry(request, send, 'user');
	}

	/**
	 * A request of the page whose answer is read as it arrives.
	 * @param by `user` where the user named the host just now
	 */
	async stream(request: WireRequest, send: () => Promise<Response>, by: 'user' | 'program'): Promise<Response> {
		const { entry, answer } = await this.#record(request, send, by);
		const counted = answer.body?.pipeThrough(
			new TransformStream<Uint8Array, Uint8Array>({
				transform: (chunk, controller) => {
					entry.receivedBytes += chunk.length;
					this.#changed();
					controller.enqueue(chunk);
				}
			})
		);
		const { status, statusText, headers } = answer;
		return new Response(counted ?? null, { status, statusText, headers });
	}

	async #carry(
		request: WireRequest,
		send: (request: WireRequest) => Promise<WireResponse>,
		by: 'user' | 'program'
	): Promise<WireResponse> {
		const { entry, answer } = await this.#record(request, send, by);
		entry.receivedBytes = answer.body.length;
		this.#changed();
		return answer;
	}

	async #record<Answer extends { status: number }>(
		request: WireRequest,
		send: (request: WireRequest) => Promise<Answer>,
		by: 'user' | 'program'
	): Promise<{ entry: LedgerEntry; answer: Answer }> {
		const entry = this.#write(request);
		try {
			await this.#permit(request, entry, by);
			entry.outcome = 'running';
			this.#changed();
			const answer = await send(request);
			entry.outcome = 'done';
			entry.status = answer.status;
			return { entry, answer };
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

	async #permit(request: WireRequest, entry: LedgerEntry, by: 'user' | 'program'): Promise<void> {
		const { url, purpose, method } = request;
		const reason = refusal(url, await this.#rules());
		if (reason !== null) throw new EgressRefused(reason);
		if (by === 'user') return;
		const { id, host } = entry;
		if (!this.#passing.has(host) && !this.allowedHosts.includes(host)) {
			const decision = await this.#questions.ask(`host ${host}`, { kind: 'host', id, host, purpose, method, url });
			if (decision === 'unanswered')
				throw new EgressRefused(
					`No one answered for a minute whether ${host} may be reached. The user has to allow it when asked; then run the command again.`
				);
			if (decision === 'deny')
				throw new EgressRefused(`${host} was not allowed. Allow it when asked, and run the command again.`);
			if (decision === 'session') this.#allowed.add(host);
			if (decision === 'always') this.#remember(host, purpose);
		}
		await this.#pushes.permit(request, id);
	}

	/** Requests that shared a question get here one after another. */
	#remember(host: string, purpose: string): void {
		if (!this.allowedHosts.includes(host)) this.#lasting?.add(host, purpose);
	}

	#changed(): void {
		for (const listener of this.#listeners) listener();
	}
}
