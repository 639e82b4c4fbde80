import { readRules, type PermissionRule } from '#agent/guards/permission-rules.ts';
import type { StoredSession } from '#session/contract.ts';
import {
	projectKey,
	readSessionRules,
	readShared,
	writeShared,
	type RuleScope,
	type StoredRule
} from './stored-rules.ts';

const KEY = 'allow-rules';
const SCOPES: readonly RuleScope[] = ['session', 'project', 'everywhere'];

/** Permission rules that apply to a session, by scope. Changes take effect at the agent's next decision. */
export class ProjectRules {
	byScope: Record<RuleScope, readonly StoredRule[]> = $state.raw({ session: [], project: [], everywhere: [] });
	/** Scopes that a rule of this session can have. */
	readonly scopes: readonly RuleScope[];
	readonly #project: string | null;

	private constructor(
		private readonly stored: StoredSession,
		/** Passes the rules to the running agent. */
		private readonly onChange: (rules: PermissionRule[]) => void,
		session: StoredRule[],
		isForeign: boolean
	) {
		// A share can claim any origin, so it gets none of the permissions granted to that project.
		this.#project = isForeign ? null : projectKey(stored.summary.origin);
		this.scopes = SCOPES.filter((scope) => scope !== 'project' || this.#project !== null);
		this.byScope = { session, ...readShared(this.#project) };
	}

	static async open(stored: StoredSession, onChange: (rules: PermissionRule[]) => void): Promise<ProjectRules> {
		const [kept, isForeign] = await Promise.all([
			stored.readPageState<unknown>(KEY),
			stored.readPageState<boolean>(FOREIGN_KEY)
		]);
		return new ProjectRules(stored, onChange, readSessionRules(kept, readRules(kept)), isForeign === true);
	}

	/** All rules, for the agent. */
	get all(): PermissionRule[] {
		return SCOPES.flatMap((scope) => this.byScope[scope].map(({ kind, pattern }) => ({ kind, pattern })));
	}

	/** Stores a rule created by an answer. The agent that asked already has it. */
	add({ kind, pattern }: PermissionRule, lasting: 'session' | 'always', question: string): void {
		const scope: RuleScope = lasting === 'session' || this.#project === null ? 'session' : 'project';
		const { title } = this.stored.summary;
		this.#set(scope, [...this.byScope[scope], { kind, pattern, question, session: title, madeMs: Date.now() }]);
	}

	/** Hosts that rules of any scope allow, for requests that the agent's questions do not cover. */
	get hosts(): string[] {
		return this.all.flatMap(({ kind, pattern }) => (kind === 'host' ? [pattern] : []));
	}

	/** Allows a host outside of the agent's questions. */
	addHost(pattern: string, question: string): void {
		this.add({ kind: 'host', pattern }, 'always', question);
		this.onChange(this.all);
	}

	removeHost(host: string): void {
		for (const scope of SCOPES)
			for (const rule of this.byScope[scope])
				if (rule.kind === 'host' && rule.pattern === host) this.remove(scope, rule);
	}

	remove(scope: RuleScope, rule: StoredRule): void {
		this.#set(
			scope,
			this.byScope[scope].filter((other) => other !== rule)
		);
		this.onChange(this.all);
	}

	move(from: RuleScope, rule: StoredRule, to: RuleScope): void {
		if (from === to) return;
		this.#set(to, [...this.byScope[to], rule]);
		this.remove(from, rule);
	}

	#set(scope: RuleScope, rules: readonly StoredRule[]): void {
		this.byScope = { ...this.byScope, [scope]: rules };
		if (scope !== 'session') writeShared(this.#project, scope, [...rules]);
		else if (this.stored.writable)
			this.stored.writePageState(KEY, rules).catch((error: unknown) => console.error('Rules were not stored.', error));
	}
}

const FOREIGN_KEY = 'made-by-share';

/** Records that a session started from shared content. */
export function markForeign(stored: StoredSession): Promise<void> {
	return stored.writePageState(FOREIGN_KEY, true);
}
