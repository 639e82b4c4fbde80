import { ALL_RIGHTS } from '#environment/contract.ts';
import type { Guards, ProposalInfo } from './api.ts';
import type { Family } from './family.ts';
import type { PermissionRule } from './guards/permission-rules.ts';
import type { AskPermission, PermissionDecision, PermissionRequest } from './guards/permission-types.ts';
import { GuardRefusal } from './guards/refusals.ts';
import { QuestionWithdrawn } from './question-withdrawn.ts';
import type { CommandExecution, CommandGrant, ProposedChange, ProposedCommand } from './tool.ts';

/** Creates one member's guards for a list of rules; without `ask` they refuse anything they would ask about. */
export type BuildGuards = (rules: readonly PermissionRule[], ask: AskPermission | undefined) => Guards;

/**
 * Guards of one member of a family, using the family's mode and rules at the time of each decision. If these change
 * while a question is open, the proposal is judged again, and the question is withdrawn if it is no longer needed.
 */
export class FamilyGuards implements Guards {
	#built: { rules: readonly PermissionRule[]; asking: Guards; silent: Guards } | null = null;
	/** Proposals by the signal that guards pass to `ask`. */
	readonly #proposals = new WeakMap<AbortSignal, Proposal>();

	constructor(
		private readonly family: Family,
		private readonly build: BuildGuards,
		/** Absent: anything that would need a question is refused. */
		private readonly ask: AskPermission | undefined
	) {}

	async propose(change: ProposedChange, info: ProposalInfo): Promise<void> {
		const judgeAgain = (): Promise<void> => this.#current().silent.propose(change, info);
		for (;;) {
			const proposal = new Proposal(info, this.family.version, judgeAgain);
			this.#proposals.set(proposal.signal, proposal);
			try {
				await this.#current().asking.propose(change, { ...info, signal: proposal.signal });
			} catch (error) {
				if (proposal.isWithdrawn && !info.signal.aborted) continue;
				throw error;
			}
			// Allowed by a mode or rule that no longer holds, or by an answer given under it: decide again.
			if (proposal.judgedAt === this.family.version) return;
		}
	}

	/**
	 * A command whose question is open when mode or rules change is decided again from the start: tried again or run.
	 */
	async permitCommand(change: ProposedCommand, exec: CommandExecution, info: ProposalInfo): Promise<CommandGrant> {
		for (;;) {
			const proposal = new Proposal(info, this.family.version, null);
			this.#proposals.set(proposal.signal, proposal);
			try {
				const grant = await this.#permitWith(this.#current().asking, change, exec, {
					...info,
					signal: proposal.signal
				});
				// A command that has ended is final; one that may still run is decided by the current mode.
				if (grant.kind === 'ended' || proposal.judgedAt === this.family.version) return grant;
			} catch (error) {
				if (!proposal.isWithdrawn || info.signal.aborted) throw error;
			}
			exec.onRestart?.();
		}
	}

	async #permitWith(
		guards: Guards,
		change: ProposedCommand,
		exec: CommandExecution,
		info: ProposalInfo
	): Promise<CommandGrant> {
		if (guards.permitCommand) return guards.permitCommand(change, exec, info);
		await guards.propose(change, info);
		return { kind: 'run', rights: ALL_RIGHTS };
	}

	#current(): { asking: Guards; silent: Guards } {
		const { rules } = this.family;
		if (this.#built?.rules !== rules) {
			const ask: AskPermission | undefined = this.ask && ((request, signal) => this.#ask(request, signal));
			this.#built = { rules, asking: this.build(rules, ask), silent: this.build(rules, undefined) };
		}
		return this.#built;
	}

	async #ask(request: PermissionRequest, signal: AbortSignal): Promise<PermissionDecision> {
		const ask = this.ask as AskPermission;
		const proposal = this.#proposals.get(signal);
		if (!proposal) return ask(request, signal);
		proposal.judgedAt = this.family.version;
		const unsubscribe = this.family.onChange(() => void this.#judgeAgain(proposal));
		try {
			const decision = await ask(request, signal);
			unsubscribe();
			if (decision.kind === 'allow_session' || decision.kind === 'allow_always') this.#addRules(proposal, request);
			return decision;
		} finally {
			unsubscribe();
		}
	}

	/** The answer remains valid even if the rule made from it does not cover the question. */
	#addRules(proposal: Proposal, { rules }: PermissionRequest): void {
		const isCurrent = proposal.judgedAt === this.family.version;
		this.family.rules = [...this.family.rules, ...rules];
		if (isCurrent) proposal.judgedAt = this.family.version;
	}

	/** Leaves the question open only if it would be asked again. Never rejects. */
	async #judgeAgain(proposal: Proposal): Promise<void> {
		const { version } = this.family;
		try {
			await proposal.judgeAgain?.();
		} catch (error) {
			if (error instanceof GuardRefusal && error.guard === 'permission') {
				proposal.judgedAt = Math.max(proposal.judgedAt, version);
				return;
			}
		}
		proposal.withdraw();
	}
}

/** A change that the guards are checking. */
class Proposal {
	isWithdrawn = false;
	readonly signal: AbortSignal;
	readonly #withdrawal = new AbortController();

	/**
	 * @param judgedAt version of the family it was last judged under
	 * @param judgeAgain rejects with `GuardRefusal` if the user would be asked again; `null`: the question is withdrawn
	 */
	constructor(
		{ signal }: ProposalInfo,
		public judgedAt: number,
		readonly judgeAgain: (() => Promise<void>) | null
	) {
		this.signal = AbortSignal.any([signal, this.#withdrawal.signal]);
	}

	withdraw(): void {
		this.isWithdrawn = true;
		this.#withdrawal.abort(new QuestionWithdrawn());
	}
}
