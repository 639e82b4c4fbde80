import { afterEach, expect, it, vi } from 'vitest';
import type { AppState } from '#page/app-state.svelte.ts';
import { bringBack, leaveWithoutCopy, returnAfterLoss } from '#page/machines/move.svelte.ts';
import type { Project } from '#page/project/project.svelte.ts';

afterEach(() => vi.unstubAllGlobals());

interface Trouble {
	/** The checkpoint before the return fails. */
	isUnreadable?: boolean;
	/** The machine no longer opens a session. */
	isGone?: boolean;
}

/** A session on a machine whose files cannot be copied. */
function stuck({ isUnreadable = false, isGone = false }: Trouble) {
	const steps: string[] = [];
	const home = { snapshot: async () => ({ id: 'tree', entries: new Map() }) };
	const environment = {
		home,
		leave: async () => void steps.push('leave'),
		pull: () => Promise.reject(new Error('lies'))
	};
	const machine = { id: 'box', kind: 'docker', name: 'a box' };
	const stay = { environment, reason: '', connection: 'connected', machine };
	const stored = {
		...{ summary: { origin: null }, log: { leafId: () => null } },
		...{ writePageState: async () => undefined, flush: async () => undefined }
	};
	const project = {
		...{ stay, stored, notices: [] },
		workspace: { takeCheckpoint: async () => (isUnreadable ? Promise.reject(new Error('lies')) : undefined) },
		retire: async () => void steps.push('retire')
	};
	const app = {
		failure: null as unknown,
		parts: { openWorkspace: async (at: unknown) => void steps.push(at === home ? 'open the tab' : 'open the machine') },
		continueIn: async (_project: unknown, at: { stay: unknown }) => {
			steps.push(at.stay === null ? 'continue' : 'stay');
			if (at.stay !== null && isGone) throw new Error('The container is not running.');
		}
	};
	return { steps, app, stay, run: { app: app as unknown as AppState, project: project as unknown as Project } };
}

it('leaves a machine whose files cannot be read, when the user says so, and ends it', async () => {
	const { steps, app, run } = stuck({ isUnreadable: true });
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

it('stays on the machine when only the copy failed, and says so', async () => {
	const { steps, app, run } = stuck({});
	await expect(bringBack(run.app, run.project)).rejects.toThrow('lies');
	expect(steps).toEqual(['retire', 'open the machine', 'stay']);
	expect(app.failure).toBe(null);
});

it('continues in the tab when the machine ends in the middle of the way back', async () => {
	const { steps, app, run } = stuck({ isGone: true });
	await bringBack(run.app, run.project);
	expect(steps.slice(-3)).toEqual(['leave', 'open the tab', 'continue']);
	expect(app.failure).toMatchObject({ code: 'machine_lost' });
});

it('leaves a lost machine once, whoever notices the loss first', async () => {
	const { steps, stay, run } = stuck({ isUnreadable: true });
	Object.assign(stay, { connection: 'lost', reason: 'This machine no longer exists.' });
	await Promise.all([bringBack(run.app, run.project), returnAfterLoss(run.app, run.project)]);
	expect(steps).toEqual(['retire', 'leave', 'open the tab', 'continue']);
});
