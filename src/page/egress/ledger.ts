import type { WireRequest, WireResponse } from '#computer/abi/syscalls.ts';
import { PushPermissions, type ExpectedPush } from './push-permissions.ts';
import { EgressQuestions, type EgressDecision, type EgressQuestion } from './questions.ts';
import { EgressRefused } from './refused.ts';
import { refusal, type EgressRules } from './rules.ts';

/** A request of the sandbox, allowed or not. */
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
	/** HTTP status, if there is one yet. */
	status?: number;
	/** Reason for a refusal or failure. */
	reason?: string;
}

/** Hosts allowed by the project's stored rules. */
export interface LastingHosts {
	readonly all: readonly string[];
	/** True if a host can be allowed for longer than the session. */
	readonly canAdd: boolean;
	/** @param purpose tool that requested it */
	add(host: string, purpose: string): void;
	remove(host: string): void;
}

/**
 * Gate for everything that leaves the sandbox: each request is recorded, the user is asked about undecided hosts and
 * about every push, and only then is the request sent.
 */
export class EgressLedger {
	readonly #send: (request: WireRequest) => Promise<WireResponse>;
	readonly #rules: () => Promise<EgressRules>;
	readonly #onReset: () => void;
	readonly #allowed = new Set<string>();
	/** Hosts allowed for running commands, with the number of commands. */
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
	 * @param send performs an allowed request
	 * @param rules determines what is refused without asking
	 * @param onReset clears other data of the project, such as tokens
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

	/** Hosts that may be reached without asking. */
	get allowedHosts(): string[] {
		return [...new Set([...this.#allowed, ...(this.#lasting?.all ?? [])])];
	}

	/** Returns true if a host can be allowed for longer than the session. */
	get canAllowAlways(): boolean {
		return this.#lasting?.canAdd ?? false;
	}

	/** Uses the rules of the project that was opened. @returns stops using them */
	useLasting(hosts: LastingHosts): () => void {
		this.#lasting = hosts;
		this.#changed();
		return () => {
			if (this.#lasting !== hosts) return;
			this.#lasting = null;
			this.#changed();
		};
	}

	/** Allows a host that the user has entered, for example as an import source. */
	allow(host: string): void {
		this.#allowed.add(host);
		this.#changed();
	}

	/** Allows hosts for a command whose permission request named them, until the returned function is called. */
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

	/** Revokes a permission: the next request to this host needs a decision again. */
	revoke(host: string): void {
		this.#allowed.delete(host);
		this.#lasting?.remove(host);
		this.#changed();
	}

	/** Allows a push that the user has just requested from the page. @returns revokes that */
	expectPush(push: ExpectedPush): () => void {
		return this.#pushes.expect(push);
	}

	/** Allows pushes to start with a repository's token, because the user has entered it for a push. */
	allowPushToken(repository: string): void {
		this.#pushes.allowToken(repository);
	}

	/** Asks whether a program may start a push with a token that was entered for reading. @throws EgressRefused */
	permitPushToken(repository: string): Promise<void> {
		return this.#pushes.permitToken(repository);
	}

	/** Clears permissions and questions for the next project. Open questions are refused. */
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

	/** Sends a request of the sandbox. Rejects with {@link EgressRefused}, or with the error of sending it. */
	async request(request: WireRequest): Promise<WireResponse> {
		return this.#carry(request, this.#send, 'program');
	}

	/**
	 * Sends a request that the user has just requested from the page: it is recorded like the others, but needs no
	 * permission. Programs cannot reach this method. Rejects as {@link request} does.
	 *
	 * @param send performs it, with data that the sandbox must not see
	 */
	async requestAsUser(
		request: WireRequest,
		send: (request: WireRequest) => Promise<WireResponse>
	): Promise<WireResponse> {
		return this.#carry(request, send, 'user');
	}

	/**
	 * Sends a request of the page whose response is streamed.
	 * @param by `user` if the user has just entered the host
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

	/** Requests that shared a question arrive here one after another, so only the first adds the rule. */
	#remember(host: string, purpose: string): void {
		if (!this.allowedHosts.includes(host)) this.#lasting?.add(host, purpose);
	}

	#changed(): void {
		for (const listener of this.#listeners) listener();
	}
}
