import { expect } from 'vitest';
import type { PermissionMode } from '../../../src/agent/guards/permission-types.ts';
import { createWasmEnvironment } from '../../../src/environment/wasm/environment.ts';
import { attempt, names, works, type Target } from './attempt.ts';
import { attacks } from './lines.ts';

const MODES: readonly PermissionMode[] = ['ask', 'auto-edit', 'plan'];

/** Figures of a run. */
export interface AttackFigures {
	tried: number;
	/** Do their harm where nothing holds them back. */
	working: number;
	asked: number;
	refused: number;
	/** Auto-edit lets the agent change ordinary files of the project. */
	allowedEdits: number;
}

/** Tries `count` attacks, each in one of the modes. Fails at the first that does more than the mode allows. */
export async function tryAttacks(count: number, seed: number): Promise<AttackFigures> {
	const requests: string[] = [];
	const sandbox = createWasmEnvironment({
		egress: ({ url }) => {
			requests.push(url);
			return Promise.reject(Object.assign(new Error('no network'), { code: 'ECONNREFUSED' }));
		}
	});
	await sandbox.initialize();
	const figures: AttackFigures = { tried: 0, working: 0, asked: 0, refused: 0, allowedEdits: 0 };
	try {
		await sandbox.exec(
			'git init -q . && echo one > a.txt && mkdir src && echo two > src/b.txt && echo "alias x=y" > ~/.bashrc && git add . && git -c user.name=n -c user.email=e@x commit -qm first'
		);
		const process = await sandbox.start('sleep 100000');
		const target: Target = { sandbox, requests, victim: { pid: process.pid, ended: false } };
		void process.exited.then(() => (target.victim.ended = true));
		for (const [at, attack] of attacks(count, seed).entries()) {
			const mode = MODES[(seed + at) % MODES.length] ?? 'ask';
			const label = `seed ${seed}, attack ${at} (${attack.disguise}) in ${mode}:\n${attack.line}`;
			const isWorking = await works(target, attack);
			// What auto-edit may do without asking would change the tree that the next attack needs.
			const isEdit = mode === 'auto-edit' && attack.harm.kind === 'file' && !/^(\.git|\/)/.test(attack.harm.name);
			const { unasked, question, refusal } = await attempt(target, attack, isEdit ? 'ask' : mode);
			figures.tried++;
			if (isEdit) figures.allowedEdits++;
			if (isWorking) figures.working++;
			expect(unasked, label).toBeNull();
			if (mode === 'plan') {
				expect(question, label).toBeNull();
				if (isWorking) expect(refusal, label).toMatch(/^Plan mode: .* would /);
				if (refusal !== null) figures.refused++;
			} else {
				if (isWorking) expect(question, `${label}\nwas not asked about`).not.toBeNull();
				if (question && isWorking)
					expect(names(question, attack, target.victim.pid), `${label}\n${JSON.stringify(question.effects)}`).toBe(
						true
					);
				if (question) figures.asked++;
			}
		}
		return figures;
	} finally {
		await sandbox.cleanup();
	}
}
