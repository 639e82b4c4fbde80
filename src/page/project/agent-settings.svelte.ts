import * as z from 'zod/mini';
import type { SessionApi } from '#agent/api.ts';
import type { ReasoningEffort, Usage } from '#llm/types.ts';
import type { StoredSession } from '#session/contract.ts';
import { agentDefaults } from '../settings/agent-defaults.ts';
import { Limits, limitsForNewSession, rememberLimits } from '../settings/limits.ts';
import { mcpServers } from '../settings/mcp-servers.svelte.ts';
import { SideSpending } from './side-spending.svelte.ts';

const KEY = 'agent-settings';
const Kept = z.object({
	limits: Limits,
	effort: z.nullable(z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'])),
	withoutTools: z.optional(z.array(z.string()))
});

/** Limits and effort of a session's agent; stored with the session. */
export class AgentSettings {
	limits: Limits = $state.raw(limitsForNewSession());
	/** `null`: the provider's default. */
	effort: ReasoningEffort | null = $state(null);
	/** Neutral names of the tools that the user disabled. */
	withoutTools: readonly string[] = $state.raw([]);
	readonly #leave: (() => void)[];

	#instructions = agentDefaults.forSession.userInstructions;

	private constructor(
		private readonly stored: StoredSession,
		/** Counts towards the cap like the conversation itself. */
		readonly beside: SideSpending,
		private readonly session: () => SessionApi | null
	) {
		mcpServers.load();
		this.#leave = [
			mcpServers.onTools(() => this.session()?.configure({ tools: mcpServers.tools })),
			agentDefaults.onChange(() => this.#takeDefaults())
		];
	}

	static async open(stored: StoredSession, session: () => SessionApi | null): Promise<AgentSettings> {
		const settings = new AgentSettings(stored, await SideSpending.open(stored), session);
		const kept = z.safeParse(Kept, await stored.readPageState<unknown>(KEY));
		if (kept.success) {
			settings.limits = kept.data.limits;
			settings.effort = kept.data.effort;
			settings.withoutTools = kept.data.withoutTools ?? [];
		}
		return settings;
	}

	/** Initial settings of a session. */
	get start() {
		const { spendingCapUsd, maxRounds } = this.limits;
		return {
			maxToolRoundsPerInput: maxRounds,
			reasoningEffort: this.effort,
			tools: mcpServers.tools,
			withoutTools: this.withoutTools,
			...agentDefaults.forSession,
			spentBesideUsd: this.beside.meters.costUsd,
			...(spendingCapUsd === null ? {} : { spendingCapUsd })
		};
	}

	async setLimits(limits: Limits): Promise<void> {
		this.limits = limits;
		rememberLimits(limits);
		this.session()?.configure({
			spendingCapUsd: limits.spendingCapUsd ?? undefined,
			maxToolRoundsPerInput: limits.maxRounds
		});
		await this.#keep();
	}

	async setEffort(effort: ReasoningEffort | null): Promise<void> {
		this.effort = effort;
		this.session()?.setReasoningEffort(effort);
		await this.#keep();
	}

	async setWithoutTools(names: readonly string[]): Promise<void> {
		this.withoutTools = names;
		this.session()?.configure({ withoutTools: names });
		await this.#keep();
	}

	/** Adds the cost of text outside the conversation. Rejects if it could not be stored; it still counts. */
	async spend(usage: Usage): Promise<void> {
		const kept = this.beside.add(usage);
		this.session()?.configure({ spentBesideUsd: this.beside.meters.costUsd });
		await kept;
	}

	leave(): void {
		for (const leave of this.#leave) leave();
	}

	/** Passes instructions on only if they changed, since that invalidates the provider's cache. */
	#takeDefaults(): void {
		const { userInstructions, outputLimits } = agentDefaults.forSession;
		const isNew = userInstructions !== this.#instructions;
		this.#instructions = userInstructions;
		this.session()?.configure({ outputLimits, ...(isNew ? { userInstructions } : {}) });
	}

	#keep(): Promise<void> {
		return this.stored.writePageState(KEY, {
			limits: this.limits,
			effort: this.effort,
			withoutTools: [...this.withoutTools]
		});
	}
}
