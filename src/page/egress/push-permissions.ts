import type { WireRequest } from '#computer/abi/syscalls.ts';
import { mayBePush, parseGitCall } from './git-call.ts';
import { parsePush, PushUnreadable, type RefUpdate } from './push-request.ts';
import type { EgressDecision, EgressQuestion } from './questions.ts';
import { EgressRefused } from './refused.ts';

/** A push that the user has requested from the page. */
export interface ExpectedPush {
	repository: string;
	ref: string;
	commit: string;
}

type Ask = (key: string, question: EgressQuestion) => Promise<EgressDecision>;

/** Decides about pushes of programs: each requires a separate confirmation that lists its changes. */
export class PushPermissions {
	readonly #expected = new Set<ExpectedPush>();
	/** Repositories whose token may be used for the first step of a push, until the project ends. */
	readonly #tokens = new Set<string>();
	#next = -1;

	constructor(private readonly ask: Ask) {}

	/** Allows one push that the user has requested. @returns revokes that */
	expect(push: ExpectedPush): () => void {
		this.#expected.add(push);
		return () => this.#expected.delete(push);
	}

	/** Allows a token that the user has just entered for a push. */
	allowToken(repository: string): void {
		this.#tokens.add(repository);
	}

	reset(): void {
		this.#expected.clear();
		this.#tokens.clear();
	}

	/** Asks about a push request. @throws EgressRefused */
	async permit(request: WireRequest, id: number): Promise<void> {
		const url = new URL(request.url);
		if (!mayBePush(request.method, url)) return;
		const call = parseGitCall(request.method, url);
		if (!call) throw new EgressRefused(`${url.pathname} is not an address that git pushes to.`);
		const updates = readUpdates(request);
		if (this.#takeExpected(call.repository, updates)) return;
		const { repository } = call;
		const bytes = request.body?.length ?? 0;
		const question = { kind: 'push', id, host: url.host, repository, updates, bytes } as const;
		if ((await this.ask(`push ${id}`, question)) === 'deny')
			throw new EgressRefused(`The push to ${repository} was not allowed. Allow it when asked, and push again.`);
	}

	/** Asks whether a push may start with the repository's token. @throws EgressRefused */
	async permitToken(repository: string): Promise<void> {
		if (this.#tokens.has(repository)) return;
		if ([...this.#expected].some((push) => push.repository === repository)) return;
		const question = { kind: 'push-token', id: this.#next--, host: new URL(repository).host, repository } as const;
		const decision = await this.ask(`token ${repository}`, question);
		if (decision === 'deny') throw new EgressRefused(`The token of ${repository} was not allowed for a push.`);
		if (decision === 'session') this.#tokens.add(repository);
	}

	/** Returns true, once, if the user has requested exactly this push. */
	#takeExpected(repository: string, updates: readonly RefUpdate[]): boolean {
		const [update] = updates;
		for (const push of this.#expected) {
			if (updates.length !== 1 || push.repository !== repository) continue;
			if (push.ref !== update?.ref || push.commit !== update.after) continue;
			return this.#expected.delete(push);
		}
		return false;
	}
}

function readUpdates({ headers, body }: WireRequest): RefUpdate[] {
	if (headers.some(([name]) => name.toLowerCase() === 'content-encoding'))
		throw new EgressRefused('A push that is compressed as a whole cannot be shown, so it is not sent.');
	try {
		return parsePush(body ?? new Uint8Array());
	} catch (error) {
		if (!(error instanceof PushUnreadable)) throw error;
		throw new EgressRefused(`${error.message} It cannot be shown, so it is not sent.`);
	}
}
