import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright';
import { expect } from 'vitest';
import type { SessionEvent } from '#agent/events.ts';
import { Random } from '#test/agent/tools/mutations/random.ts';
import { mutation } from '#test/environment/remote/move-faults.ts';
import { startModelServer, type ModelServer } from '#test/model-server/server.ts';
import { IMAGE, type Daemon } from '#test/server/machines/docker-daemon.ts';
import { startProductProcess, type ProductProcess } from '../product-process.ts';
import { agentIs, openFiles, run } from '../steps.ts';
import { KEEP_NOTHING } from '../world.ts';
import { startMortalBrowser, type MortalBrowser } from './mortal-browser.ts';

/** What fails at some frame of a move: the page in three ways, the server, the container. */
const FAULTS = ['none', 'reload', 'close', 'browser', 'server', 'machine'] as const;
type Fault = (typeof FAULTS)[number];
/** Names of a session's places in the header's button. */
const PLACES = { tab: 'This tab', host: 'My computer', docker: 'Bigger machine' } as const;
type Place = keyof typeof PLACES;

export interface MoveKills {
	byFault: Record<Fault, number>;
	/** Faults that happened before the move had ended. */
	inMove: number;
	/** Place of the session after each round. */
	after: Record<Place, number>;
	/** Commands that were acknowledged and had to be persisted. */
	acknowledged: number;
}

const TOKEN = 'a-token-of-this-test-0123456789';
/** Upper limits of the frame at which a fault happens: a move of a few files takes about 80, and moving it back 20. */
const MOMENTS = [1, 10, 30, 80] as const;

/**
 * Moves one session of a real browser to a folder and to containers and back, and kills the page, the browser, the
 * server or the container at some frame; `count` times. After each fault the session must be in one place, with every
 * acknowledged file and every event of its log. Otherwise throws with the seed of the round.
 *
 * @param daemon absent: only moves to the folder, where no container can be killed
 */
export async function killMoves(daemon: Daemon | undefined, count: number, seed: number): Promise<MoveKills> {
	const trip = await Trip.start(daemon);
	try {
		for (let round = 0; round < count; round++) {
			const random = new Random(seed + round);
			const fault = random.pick(FAULTS);
			try {
				await trip.play(fault, random);
			} catch (error) {
				console.error(await trip.describe());
				throw new Error(`Round ${seed + round} (${fault}) failed: ${String(error)}`, { cause: error });
			}
		}
		return trip.figures;
	} finally {
		await trip.end();
	}
}

class Trip {
	readonly figures: MoveKills = {
		byFault: { none: 0, reload: 0, close: 0, browser: 0, server: 0, machine: 0 },
		inMove: 0,
		after: { tab: 0, host: 0, docker: 0 },
		acknowledged: 0
	};
	readonly #directory = mkdtempSync(path.join(tmpdir(), 'sandglass-move-kills-'));
	readonly #profile = path.join(this.#directory, 'profile');
	readonly #folder = mkdtempSync(path.join(this.#directory, 'here-'));
	#server!: ProductProcess;
	#browser!: MortalBrowser;
	#page!: Page;
	/** URL of the session. */
	#address = '';
	#step = 0;
	/** Called for each frame of the connection to a machine. */
	#onFrame = (): void => undefined;

	private constructor(
		private readonly daemon: Daemon | undefined,
		private readonly models: ModelServer
	) {}

	static async start(daemon: Daemon | undefined): Promise<Trip> {
		const said = { name: 'note', turns: Array.from({ length: 10_000 }, () => ({ text: 'Noted.' })) };
		const trip = new Trip(daemon, await startModelServer([{ match: () => true, scenario: said }]));
		await trip.#startServer();
		trip.#browser = await startMortalBrowser(trip.#profile);
		await trip.#open(trip.#browser.page, trip.#server.url);
		await openFiles(trip.#page, { 'a.txt': 'imported\n', 'docs/b.txt': 'two\n' });
		trip.#address = trip.#page.url();
		return trip;
	}

	/** Describes what the page shows, for a failure. */
	describe(): Promise<string> {
		return this.#page.locator('body').innerText({ timeout: 5_000 }).catch(String);
	}

	async end(): Promise<void> {
		await this.#browser.kill();
		await this.#server.kill();
		await this.models.close();
		rmSync(this.#directory, { recursive: true, force: true });
	}

	/** Runs one move in the other direction, with its fault, and checks the result. */
	async play(wanted: Fault, random: Random): Promise<void> {
		const from = await this.#place();
		const to = from !== 'tab' ? 'tab' : this.daemon && random.chance(0.5) ? 'docker' : 'host';
		const fault = wanted === 'machine' && from !== 'docker' && to !== 'docker' ? 'server' : wanted;
		this.figures.byFault[fault]++;
		await run(this.#page, mutation(random));
		await this.#page.evaluate((text) => window.sandglass!.ask(text), `Note ${random.below(1e9)}`);
		const [before, log] = [await this.#tree(), await this.#events()];
		const first = this.#step + 1;
		await this.#move(to, fault, random.below(random.pick(MOMENTS)));
		await this.#settle();
		const after = await this.#tree();
		requireWhole(before, after, { first, last: this.#step });
		this.figures.acknowledged += this.#step + 1 - first;
		requireBeginning(log, await this.#events());
		const at = await this.#place();
		this.figures.after[at]++;
		if (at === 'host') expect(readdirSync(this.#folder).toSorted()).toEqual(topOf(after));
		// Unacknowledged work may be there; the next step gets another number.
		if (after.has(`step-${this.#step + 1}`)) this.#step++;
	}

	/** Moves, works there, and triggers the fault at that frame, or once no more frames will come. */
	async #move(to: Place, fault: Fault, moment: number): Promise<void> {
		const state = { isStruck: false, isMoved: false };
		let struck = Promise.resolve();
		const strike = (): void => {
			this.#onFrame = () => undefined;
			if (state.isStruck) return;
			state.isStruck = true;
			if (!state.isMoved && fault !== 'none') this.figures.inMove++;
			struck = this.#end(fault);
		};
		let framesLeft = moment;
		this.#onFrame = () => void (--framesLeft <= 0 && fault !== 'none' && strike());
		const working = async (): Promise<void> => {
			const page = this.#page;
			await this.#choose(to, () => moment === 0 && this.#onFrame());
			state.isMoved = true;
			for (let commands = 0; !state.isStruck; commands++) {
				// Nothing more is sent to a machine, or there is no fault.
				if (commands === 3 && (to === 'tab' || fault === 'none')) return strike();
				await run(page, `echo here > step-${this.#step + 1}`);
				this.#step++;
			}
		};
		const failure = await working().then(
			() => undefined,
			(error: unknown) => error
		);
		await struck;
		// A command or a move may only fail with its page, server or machine.
		if (failure !== undefined && !state.isStruck) throw failure;
	}

	async #choose(to: Place, onBegun: () => void): Promise<void> {
		const page = this.#page;
		await page.getByRole('button', { name: /^Where this session runs/ }).click();
		const dialog = page.getByRole('dialog', { name: 'Where this session runs' });
		const buttons = { tab: 'Bring back', host: 'Connect', docker: 'Move here' };
		await dialog.getByRole('button', { name: buttons[to], exact: true }).click();
		onBegun();
		const arrived = page.getByRole('button', { name: `Where this session runs: ${PLACES[to]}` });
		const replace = dialog.getByRole('button', { name: 'Replace them' });
		const failed = dialog.getByRole('alert');
		await arrived.or(replace).or(failed).first().waitFor();
		if (await replace.isVisible()) await replace.click();
		await arrived.or(failed).first().waitFor();
		if (await failed.isVisible()) throw new Error(`The move failed: ${await failed.innerText()}`);
	}

	/** Triggers a fault, and restarts what ended. */
	async #end(fault: Fault): Promise<void> {
		switch (fault) {
			case 'none':
				return;
			case 'reload':
				return this.#open(this.#page, this.#address);
			case 'close': {
				const next = await this.#page.context().newPage();
				await this.#page.close();
				return this.#open(next, this.#address);
			}
			case 'browser':
				await this.#browser.kill();
				this.#browser = await startMortalBrowser(this.#profile);
				return this.#open(this.#browser.page, this.#address);
			case 'server':
				await this.#server.kill();
				return this.#startServer();
			case 'machine': {
				const containers = (await this.daemon?.docker('ps', '-q'))?.split('\n').filter(Boolean) ?? [];
				for (const container of containers)
					await this.daemon?.docker('kill', container).catch((error: unknown) => {
						// It was already being removed.
						if (!/is not running|No such container/.test(String(error))) throw error;
					});
			}
		}
	}

	async #startServer(): Promise<void> {
		const engine = this.daemon && {
			SANDGLASS_DOCKER: this.daemon.socket,
			SANDGLASS_MACHINE_IMAGE: IMAGE,
			SANDGLASS_MACHINE_MEMORY: '256m',
			SANDGLASS_TOKEN: TOKEN
		};
		const port = this.#server ? new URL(this.#server.url).port : '0';
		this.#server = await startProductProcess({
			...engine,
			SANDGLASS_HERE: this.#folder,
			ANTHROPIC_API_KEY: 'sk-test',
			ANTHROPIC_BASE_URL: this.models.url,
			PORT: port
		});
	}

	async #open(page: Page, address: string): Promise<void> {
		this.#page = page;
		await page.addInitScript(KEEP_NOTHING);
		page.on('websocket', (socket) => {
			const count = (): void => this.#onFrame();
			socket.on('framesent', count).on('framereceived', count);
		});
		// A killed browser may not have stored the token.
		await page.goto(address);
		if (this.daemon) await this.#giveToken(page);
		await page.waitForFunction(() => window.sandglass !== undefined);
	}

	async #giveToken(page: Page): Promise<void> {
		const dialog = page.getByRole('dialog', { name: 'Enter this server’s access token' });
		const status = page.getByRole('status', { name: 'Agent' });
		await dialog
			.or(status)
			.or(page.getByRole('button', { name: 'Watch the demo' }))
			.first()
			.waitFor();
		if (!(await dialog.isVisible())) return;
		await dialog.getByLabel('Token', { exact: true }).fill(TOKEN);
		await dialog.getByRole('button', { name: 'Open' }).click();
		await dialog.waitFor({ state: 'hidden' });
	}

	/** Waits until the session is open in one place, with no work in progress. */
	async #settle(): Promise<void> {
		const page = this.#page;
		const dialog = page.getByRole('dialog', { name: 'Where this session runs' });
		await page.waitForFunction(() => window.sandglass?.environment);
		if (await dialog.isVisible()) {
			const close = dialog.getByRole('button', { name: 'Close' });
			await close.or(page.locator('body:not(:has(dialog[open]))')).first().waitFor();
			// If the loss of a machine is noticed at this moment, the dialog closes too.
			await close.click({ timeout: 10_000 }).catch(async (error: unknown) => {
				if (await dialog.isVisible()) throw error;
			});
		}
		await expect.poll(() => this.#place().catch(() => 'nowhere'), { timeout: 90_000 }).not.toBe('nowhere');
		await agentIs(page, 'idle');
	}

	/** @throws Error while it is in none of the places, such as on a machine that cannot be reached */
	async #place(): Promise<Place> {
		const name = await this.#page
			.getByRole('button', { name: /^Where this session runs: / })
			.getAttribute('aria-label');
		const found = (['tab', 'host', 'docker'] as const).find((place) => name?.includes(`: ${PLACES[place]}`));
		if (found === undefined) throw new Error(`The session is in no place: ${name}.`);
		return found;
	}

	#tree(): Promise<Tree> {
		return this.#page
			.evaluate(async () => [...(await window.sandglass!.environment!.snapshot()).entries])
			.then((entries) => new Map(entries));
	}

	/** Events of the session so far. */
	async #events(): Promise<SessionEvent[]> {
		return this.#page.evaluate(async () => {
			const found: SessionEvent[] = [];
			const events = window.sandglass!.session!.events[Symbol.asyncIterator]();
			for (;;) {
				const none = new Promise<null>((resolve) => setTimeout(resolve, 0, null));
				const next = await Promise.race([events.next(), none]);
				if (!next || next.done) return found;
				found.push(next.value);
			}
		});
	}
}

type Tree = Map<string, { mode: number; blob: string }>;

const isStep = (place: string): boolean => place.startsWith('step-');
const topOf = (tree: Tree): string[] => [...new Set([...tree.keys()].map((at) => at.split('/')[0]!))].toSorted();

/** Requires every earlier file, every acknowledged step, and at most the one in progress. */
function requireWhole(before: Tree, after: Tree, { first, last }: { first: number; last: number }): void {
	const rest = (tree: Tree): Tree => new Map([...tree].filter(([at]) => !isStep(at)));
	expect(Object.fromEntries(rest(after))).toEqual(Object.fromEntries(rest(before)));
	const steps = [...before.keys()].filter(isStep);
	for (let step = first; step <= last; step++) steps.push(`step-${step}`);
	const found = [...after.keys()].filter(isStep);
	expect(found.filter((step) => step !== `step-${last + 1}`).toSorted()).toEqual(steps.toSorted());
}

/** Requires that a log continues the earlier one. Text deltas are not stored: their end event has the whole text. */
function requireBeginning(log: readonly SessionEvent[], later: readonly SessionEvent[]): void {
	const stored = (events: readonly SessionEvent[]): SessionEvent[] =>
		events.filter(({ type }) => !type.endsWith('_delta'));
	const begun = stored(log);
	expect(stored(later).slice(0, begun.length)).toEqual(begun);
}
