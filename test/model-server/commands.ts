import type { BrowserCommand } from 'vitest/node';
import type { ScenarioTurn } from '#llm/scenario/types.ts';
import { type ModelServer, startModelServer } from './server.ts';
import { spokenIn } from './spoken.ts';

/** Turns for the requests whose first user message has this text; without text, for all others. Plain data. */
export interface Script {
	firstUser?: string;
	turns: ScenarioTurn[];
}

export interface SeenRequest {
	format: string;
	body: unknown;
}

/** Plays scripts over every wire; the first one that matches a request serves it. */
export function startScripts(scripts: Script[]): Promise<ModelServer> {
	return startModelServer(
		scripts.map(({ firstUser, turns }) => ({
			match: ({ body }) => firstUser === undefined || spokenIn(body).firstUser.includes(firstUser),
			scenario: { name: firstUser ?? 'main', turns }
		}))
	);
}

const running = new Map<string, ModelServer>();

const startModel: BrowserCommand<[Script[]]> = async (_context, scripts) => {
	const server = await startScripts(scripts);
	running.set(server.url, server);
	return server.url;
};

const modelRequests: BrowserCommand<[string]> = (_context, url) =>
	(running.get(url)?.requests ?? []).map(({ format, body }) => ({ format, body }));

const stopModel: BrowserCommand<[string]> = async (_context, url) => {
	const server = running.get(url);
	running.delete(url);
	await server?.close();
	return (server?.failures ?? []).map(String);
};

/** The model server for tests that run in a page. */
export const modelCommands = { startModel, modelRequests, stopModel };

declare module 'vitest/browser' {
	interface BrowserCommands {
		startModel: (scripts: Script[]) => Promise<string>;
		modelRequests: (url: string) => Promise<SeenRequest[]>;
		/** Errors of the server itself. */
		stopModel: (url: string) => Promise<string[]>;
	}
}
