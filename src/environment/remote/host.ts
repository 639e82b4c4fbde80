import type * as contract from '../contract.ts';
import { EnvironmentError } from '../errors.ts';
import { createAnswers, type Answers, type CallContext } from './host-calls.ts';
import type { Link, Packet } from './link.ts';
import { CALLS, request, toWireError, type CallName, type Response } from './messages.ts';
import { serversOf } from './servers.ts';

/** Concurrent calls. More are refused: no page needs as many. */
const MAX_CALLS = 512;

/** Larger answers wait until the link is ready for them. */
const LARGE_BYTES = 64 * 1024;

/**
 * The machine's half of the protocol: serves the calls of one page on an environment. It lives as long as the page's
 * lease, across reconnections.
 */
export class EnvironmentHost {
	readonly #environments = new Map<number, contract.ExecutionEnvironment>();
	readonly #calls = new Map<number, AbortController>();
	readonly #unsubscribe: (() => void)[] = [];
	readonly #answers: Answers;
	#lastEnvironment = 0;

	constructor(
		environment: contract.ExecutionEnvironment,
		private readonly link: Pick<Link, 'send' | 'ready'>
	) {
		this.#add(0, environment);
		this.#answers = createAnswers({
			environmentAt: (at) => this.#environmentAt(at),
			addEnvironment: (added) => {
				this.#add(++this.#lastEnvironment, added);
				return this.#lastEnvironment;
			},
			removeEnvironment: (at) => void this.#environments.delete(at)
		});
	}

	/** Handles one message. @throws Error if it does not belong to this protocol */
	receive({ header, bytes }: Packet): void {
		const message = request.parse(header);
		if (message.type === 'cancel') this.#calls.get(message.id)?.abort();
		else void this.#serve(message.id, message.environment, message.name, message.args, bytes);
	}

	/** Ends everything that this page started. Files remain. */
	async close(): Promise<void> {
		for (const controller of this.#calls.values()) controller.abort();
		for (const unsubscribe of this.#unsubscribe.splice(0)) unsubscribe();
		this.#answers.close();
		const all = [...this.#environments.values()].reverse();
		this.#environments.clear();
		await Promise.allSettled(all.map((environment) => environment.cleanup()));
	}

	async #serve(id: number, environment: number, name: CallName, given: unknown, bytes: Uint8Array): Promise<void> {
		const controller = new AbortController();
		let isStarted = false;
		try {
			if (this.#calls.size >= MAX_CALLS) throw new EnvironmentError('EAGAIN', 'Too many calls run on this machine.');
			if (this.#calls.has(id)) throw new EnvironmentError('EINVAL', 'The id of this call is in use.');
			this.#calls.set(id, controller);
			const context: CallContext = {
				id,
				environment,
				bytes,
				signal: controller.signal,
				send: (message, content) => this.#send(message, content),
				ready: () => this.link.ready()
			};
			const answer = await this.#answers.answer(name, CALLS[name].args.parse(given), context);
			isStarted = this.#calls.has(id);
			if ((answer.bytes?.length ?? 0) > LARGE_BYTES) await this.#whenReady();
			this.#send({ type: 'result', id, value: answer.value ?? null }, answer.bytes);
		} catch (error) {
			const isMalformed = error instanceof Error && error.name === 'ZodError';
			const reported = isMalformed ? new EnvironmentError('EINVAL', `The arguments of ${name} are invalid.`) : error;
			this.#send({ type: 'failure', id, error: toWireError(reported) });
		} finally {
			// A background process can be cancelled until it ends.
			const isRunning = name === 'start' && isStarted;
			if (!isRunning && this.#calls.get(id) === controller) this.#calls.delete(id);
		}
	}

	/** Resolves when the link has free capacity: a page requests many files at once. */
	async #whenReady(): Promise<void> {
		for (let room = this.link.ready(); room; room = this.link.ready()) await room;
	}

	#send(message: Response, bytes?: Uint8Array): void {
		if (message.type === 'processExit') this.#calls.delete(message.id);
		this.link.send(message, bytes);
	}

	#add(at: number, environment: contract.ExecutionEnvironment): void {
		this.#environments.set(at, environment);
		const unsubscribe = environment.onChange(({ bytes, ...change }) => {
			this.#send({ type: 'change', environment: at, change, hasBytes: bytes !== undefined }, bytes);
			// A command may have written more than this process can buffer.
			return this.link.ready();
		});
		this.#unsubscribe.push(unsubscribe);
		const servers = serversOf(environment);
		if (!servers) return;
		const report = (): void => this.#send({ type: 'ports', environment: at, ports: [...servers.ports] });
		this.#unsubscribe.push(servers.onPorts(report));
		if (servers.ports.length > 0) report();
	}

	#environmentAt(at: number): contract.ExecutionEnvironment {
		const found = this.#environments.get(at);
		if (!found) throw new EnvironmentError('ECLOSED', 'This environment has been closed.');
		return found;
	}
}
