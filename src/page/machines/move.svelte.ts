import type { MachineChange } from '#agent/events.ts';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import type { MovePlan, MoveProgress } from '#environment/tree/move.ts';
import type { RemoteExecutionEnvironment } from '#environment/remote/environment.ts';
import type { AppState } from '../app-state.svelte.ts';
import { announce } from '../live.svelte.ts';
import type { Opened } from '../project/open.ts';
import type { Project } from '../project/project.svelte.ts';
import { t } from '../strings/index.ts';
import { beginStay } from './arrive.ts';
import { connectMachine } from './connect.ts';
import { LeftAlone } from './left-alone.ts';
import { createMachine, removeMachine } from './machine-api.ts';
import type { MachineOffer } from './offers.ts';
import { planPush, pushFiles } from './push-files.ts';
import { MachineStay } from './stay.svelte.ts';
import { storeMachine, type StoredMachine } from './stored-machine.ts';

/** Step of a move, as displayed to the user. */
export type MoveStep =
	| { kind: 'connecting' }
	| { kind: 'preparing' }
	| { kind: 'moving'; progress: MoveProgress | null }
	/** Waits for the user's confirmation: files on the machine would be replaced. */
	| { kind: 'asking'; plan: MovePlan; answer: (replace: boolean) => void }
	| { kind: 'switching' };

/** Moves a session to a machine and shows the progress. Until the switch, the session stays where it was. */
export class MachineMove {
	step: MoveStep = $state.raw({ kind: 'connecting' });
	readonly #abort = new AbortController();
	readonly #started = performance.now();
	#files = 0;

	constructor(
		private readonly app: AppState,
		private readonly project: Project,
		private readonly offer: MachineOffer
	) {}

	/** Cancels the move; possible until the switch. */
	cancel(): void {
		if (this.step.kind === 'asking') this.step.answer(false);
		this.#abort.abort();
	}

	/**
	 * @param takeOver disconnects another session that uses the machine
	 * @returns false if the user cancelled
	 * @throws MachineError, EnvironmentError; the session then stays where it was
	 */
	async run(takeOver: boolean): Promise<boolean> {
		const { offer } = this;
		const { stored } = this.project;
		const id = await createMachine(offer.id, stored.summary.id);
		let there: RemoteExecutionEnvironment | undefined;
		try {
			const stay = new MachineStay(toStored(offer, id));
			const tenant = { session: stored.summary.id, title: stored.summary.title };
			there = await connectMachine(id, tenant, {
				takeOver,
				onState: stay.connected,
				egress: this.app.parts.egress
			});
			stay.machine = { ...stay.machine, root: there.workingDirectory() };
			if (!(await this.#push(there))) throw new CancelledMove();
			await this.#switch(there, stay);
			return true;
		} catch (error) {
			await there?.cleanup();
			// A folder of this computer that was never connected may belong to another session.
			if (there || offer.kind !== 'host') await removeMachine(id).catch((failure: unknown) => console.warn(failure));
			if (error instanceof CancelledMove || this.#abort.signal.aborted) return false;
			throw error;
		}
	}

	/** Sends the files while the session still works in the tab. Returns false if the user keeps the machine's files. */
	async #push(there: ExecutionEnvironment): Promise<boolean> {
		const { environment: home, workspace, stored } = this.project;
		const sides = { home, there, leftAlone: new LeftAlone(home, there) };
		this.step = { kind: 'preparing' };
		const plan = await planPush(sides);
		if (plan.removed + plan.replaced > 0 && !(await this.#ask(plan))) return false;
		this.step = { kind: 'moving', progress: null };
		await workspace.takeCheckpoint(t.machines.checkpoint(t.machines.names[this.offer.kind]), stored.log.leafId());
		this.#files = await pushFiles(sides, {
			signal: this.#abort.signal,
			onProgress: (progress) => (this.step = { kind: 'moving', progress })
		});
		return true;
	}

	#ask(plan: MovePlan): Promise<boolean> {
		return new Promise((resolve) => (this.step = { kind: 'asking', plan, answer: resolve }));
	}

	/** Ends the session in the tab and continues it on the machine; a failure returns it to the tab. */
	async #switch(there: ExecutionEnvironment, stay: MachineStay): Promise<void> {
		const { app, project } = this;
		const { stored } = project;
		this.step = { kind: 'switching' };
		await project.retire();
		const raw = await stored.release();
		if (!raw) throw new Error(t.noProject);
		const home = await stored.attach(raw);
		try {
			const sides = { home, there, leftAlone: new LeftAlone(home, there) };
			// Sends changes made since the first push.
			this.#files += await pushFiles(sides);
			beginStay(stay, sides, stored);
			await storeMachine(stored, stay.machine);
			const machineChange = await changeOf('move', stay, { files: this.#files, since: this.#started });
			await continueAt(app, project, { environment: stay.environment, stay, machineChange });
		} catch (error) {
			await storeMachine(stored, null);
			await continueAt(app, project, { environment: home, stay: null });
			throw error;
		}
		announce(t.machines.moved(t.machines.names[stay.machine.kind]));
	}
}

class CancelledMove extends Error {}

function toStored({ id: type, kind, name, lifetimeS }: MachineOffer, id: string): StoredMachine {
	const sinceMs = Date.now();
	const end = lifetimeS === undefined ? {} : { endsMs: sinceMs + lifetimeS * 1_000 };
	return { id, type, kind, name, root: '', sinceMs, ...end };
}

/** Sessions that are currently leaving their machine: if it is lost meanwhile, that code handles it. */
const leaving = new WeakSet<Project>();

async function leaveOnce(project: Project, leave: (stay: MachineStay) => Promise<void>): Promise<void> {
	if (!project.stay || leaving.has(project)) return;
	leaving.add(project);
	try {
		await leave(project.stay);
	} finally {
		leaving.delete(project);
	}
}

/**
 * Brings a session back to the tab and ends the machine. If the machine is lost meanwhile, the session continues in the
 * tab with the last copied files.
 *
 * @throws EnvironmentError; the session is then still on the machine
 */
export function bringBack(app: AppState, project: Project): Promise<void> {
	return leaveOnce(project, async (stay) => {
		const { stored, workspace } = project;
		const since = performance.now();
		let files = 0;
		let isRetired = false;
		try {
			await workspace.takeCheckpoint(t.machines.checkpointBack, stored.log.leafId());
			await project.retire();
			isRetired = true;
			files = await stay.environment.pull();
			await stored.flush();
		} catch (error) {
			const isLost = stay.connection === 'lost' || (isRetired && !(await continuesThere(app, project, stay)));
			if (!isLost) throw error;
			return returnWithout(app, project, stay, stay.reason || String(error));
		}
		await comeHome(app, project, stay, await changeOf('return', stay, { files, since }));
		await endMachine(stay);
		announce(t.machines.broughtBack);
	});
}

/** Continues a session on its machine after a failed return. Returns false if the machine no longer responds. */
async function continuesThere(app: AppState, project: Project, stay: MachineStay): Promise<boolean> {
	try {
		await continueAt(app, project, { environment: stay.environment, stay });
		return true;
	} catch (error) {
		console.warn('The session could not continue on its machine.', error);
		return false;
	}
}

/** Continues a session in the tab after its machine was lost, with the last copied files. */
export function returnAfterLoss(app: AppState, project: Project): Promise<void> {
	return leaveOnce(project, (stay) => returnWithout(app, project, stay, stay.reason));
}

/**
 * Continues a session in the tab with the last copied files, and ends the machine: for a machine whose files can no
 * longer be read, because its tools give wrong answers or none.
 *
 * @param reason reason why they cannot be read, for the user
 */
export async function leaveWithoutCopy(app: AppState, project: Project, reason: string): Promise<void> {
	await leaveOnce(project, async (stay) => {
		await returnWithout(app, project, stay, reason);
		await endMachine(stay);
	});
}

async function returnWithout(app: AppState, project: Project, stay: MachineStay, reason: string): Promise<void> {
	await project.retire();
	await comeHome(app, project, stay, await changeOf('lost', stay, { files: 0, since: performance.now() }));
	app.failure = { code: 'machine_lost', message: reason, detail: reason };
}

async function endMachine({ machine }: MachineStay): Promise<void> {
	await removeMachine(machine.id).catch((failure: unknown) => {
		console.warn('The machine could not be removed; the server removes it later.', failure);
	});
}

/** Continues read-only in the tab: another tab has taken the session and its machine. */
export async function stepBack(app: AppState, project: Project): Promise<void> {
	const { stay } = project;
	if (!stay) return;
	await project.retire();
	await stay.environment.leave();
	await continueAt(app, project, { environment: stay.environment.home, stay: null });
}

async function changeOf(
	action: MachineChange['action'],
	{ machine: { kind, name }, environment }: MachineStay,
	{ files, since }: { files: number; since: number }
): Promise<MachineChange> {
	const { id: tree } = await environment.home.snapshot();
	return { action, kind, name, tree, files, durationMs: Math.round(performance.now() - since) };
}

async function comeHome(
	app: AppState,
	project: Project,
	stay: MachineStay,
	machineChange: MachineChange
): Promise<void> {
	await stay.environment.leave();
	await storeMachine(project.stored, null);
	await continueAt(app, project, { environment: stay.environment.home, stay: null, machineChange });
}

/** Opens a retired session in another environment, and shows it. */
async function continueAt(
	app: AppState,
	project: Project,
	at: Pick<Opened, 'environment' | 'stay' | 'machineChange'>
): Promise<void> {
	const { stored, notices } = project;
	const workspace = await app.parts.openWorkspace(at.environment, stored.summary.origin, stored);
	await app.continueIn(project, { ...at, workspace, stored, notices });
}
