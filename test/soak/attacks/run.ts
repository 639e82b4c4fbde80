import { expect } from 'vitest';
import type { PermissionMode } from '#agent/guards/permission-types.ts';
import { attempt, names, type Outcome, type Target } from './attempt.ts';
import { attacks, type Attack } from './lines.ts';

const MODES: readonly PermissionMode[] = ['ask', 'auto-edit', 'plan'];

/** Statistics of a run. */
export interface AttackFigures {
	tried: number;
	/** Attacks that succeed if nothing stops them. */
	working: number;
	asked: number;
	refused: number;
	/** Changes to ordinary project files, which auto-edit allows: tried in the mode ask. */
	allowedEdits: number;
	/** Attacks that did something without a question; any ends the run. */
	unasked: number;
}

/** Tries `count` attacks, each in one of the modes. Fails at the first that does more than the mode allows. */
export async function tryAttacks(target: Target, count: number, seed: number): Promise<AttackFigures> {
	const figures: AttackFigures = { tried: 0, working: 0, asked: 0, refused: 0, allowedEdits: 0, unasked: 0 };
	for (const [at, attack] of attacks(target, count, seed).entries()) {
		const mode = MODES[(seed + at) % MODES.length] ?? 'ask';
		const label = `seed ${seed}, attack ${at} (${attack.disguise}) in ${mode}:\n${attack.line}`;
		const isWorking = await target.works(attack);
		// Changes that auto-edit allows without a question would modify the tree needed by the next attack.
		const isEdit = mode === 'auto-edit' && attack.harm.kind === 'file' && !/^(\.git|\/)/.test(attack.harm.name);
		const outcome = await attempt(target, attack, isEdit ? 'ask' : mode);
		figures.tried++;
		if (isEdit) figures.allowedEdits++;
		if (isWorking) figures.working++;
		if (outcome.question) figures.asked++;
		if (outcome.refusal !== null && !outcome.question) figures.refused++;
		expect(outcome.unasked, label).toBeNull();
		expectAnswer(target, attack, mode, isWorking, outcome, label);
	}
	return figures;
}

/** Expects the question or refusal that the mode requires for an attack. */
function expectAnswer(
	target: Target,
	attack: Attack,
	mode: PermissionMode,
	isWorking: boolean,
	{ question, refusal }: Outcome,
	label: string
): void {
	const knowledge = target.knows(attack.harm.kind);
	// If nothing can be tried first, a failing line needs permission too.
	const isOwed = knowledge === 'by line' || (isWorking && knowledge !== 'out of reach');
	if (mode === 'plan') {
		expect(question, label).toBeNull();
		if (isOwed) expect(refusal, label).toMatch(/^Plan mode: .* would /);
		return;
	}
	if (isOwed) expect(question, `${label}\nwas not asked about`).not.toBeNull();
	if (question && isOwed)
		expect(names(question, attack, target), `${label}\n${JSON.stringify(question.effects)}`).toBe(true);
}
