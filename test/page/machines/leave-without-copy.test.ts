import { afterEach, expect, it, vi } from 'vitest';
import type { AppState } from '#page/app-state.svelte.ts';
import { bringBack, leaveWithoutCopy } from '#page/machines/move.svelte.ts';
import type { Project } from '#page/project/project.svelte.ts';

afterEach(() => vi.unstubAllGlobals());

/** A session on a machine whose files cannot be read. */
function stuck() {
	const steps: string[] = [];
	const home = { snapshot: async () => ({ id: 'tree', entries: new Map() }) };
	const environment = {
		home,
		leave: async () => void steps.push('leave'),
		pull: () => Promise.reject(new Error('lies'))
	};
	const stay = { environment, reason: '', machine: { id: 'box', kind: 'docker', name: 'a box' } };
	const stored = { summary: { origin: null }, log: { leafId: () => null }, writePageState: async () => undefined };
	const project = {
		...{ stay, stored, notices: [] },
		workspace: { takeCheckpoint: () => Promise.reject(new Error('lies')) },
		retire: async () => void steps.push('retire')
	};
	const app = {
		failure: null as unknown,
		parts: { openWorkspace: async (at: unknown) => void steps.push(at === home ? 'open the tab' : 'open the machine') },
		continueIn: async (_project: unknown, at: { stay: unknown }) =>
			void steps.push(at.stay === null ? 'continue' : 'stay')
	};
	return { steps, app, run: { app: app as unknown as AppState, project: project as unknown as Project } };
}

it('leaves a machine whose files cannot be read, when the user says so, and ends it', async () => {
	const { steps, app, run } = stuck();
	vi.stubGlobal('fetch', async (address: unknown, { method }: RequestInit = {}) => {
		steps.push(`${method} ${String(address)}`);
		return new Response(null, { status: 204 });
	});
	await expect(bringBack(run.app, run.project)).rejects.toThrow('lies');
	expect(steps).toEqual([]);
	await leaveWithoutCopy(run.app, run.project, 'Its tools are broken.');
	expect(steps).toEqual(['retire', 'leave', 'open the tab', 'continue', 'DELETE /api/machines/box']);
	expect(app.failure).toMatchObject({ code: 'machine_lost', message: 'Its tools are broken.' });
});
