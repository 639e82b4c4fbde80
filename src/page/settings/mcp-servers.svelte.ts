import * as z from 'zod/mini';
import type { McpConnection } from '#agent/extensions/mcp/connect.ts';
import type { ToolBinding } from '#agent/tool.ts';
import { t } from '../strings/index.ts';
import { readStored, writeStored } from './stored.ts';
import { reachProblem } from './reach.ts';

const Server = z.object({ name: z.string(), url: z.string() });
const Servers = z.array(Server);
const Tokens = z.record(z.string(), z.string());

const STORED = 'sandglass:mcp';
const STORED_TOKENS = 'sandglass:mcp-tokens';

export interface McpServer {
	name: string;
	url: string;
	state: 'connecting' | 'ready' | 'failed';
	/** Names of the tools, for the model. */
	tools: readonly string[];
	/** Reason why it cannot be used, as a sentence. */
	problem: string | null;
}

/** MCP servers that the user added: their URLs are stored in the browser, their tokens in the tab. */
class McpServers {
	list: readonly McpServer[] = $state.raw([]);
	#connections = new Map<string, McpConnection>();
	#loaded = false;
	#tools: ToolBinding[] = [];
	readonly #listeners = new Set<() => void>();

	/** Tools of all servers that respond; a new list after each change. */
	get tools(): ToolBinding[] {
		return this.#tools;
	}

	/** Called when the list of tools changes. Returns the unsubscriber. */
	onTools(listener: () => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	/** Connects to the stored servers, once. */
	load(): void {
		if (this.#loaded) return;
		this.#loaded = true;
		for (const { name, url } of readStored(localStorage, STORED, Servers) ?? []) void this.#connect(name, url);
	}

	/** @param token for the header `Authorization: Bearer …`; empty: none */
	async add(name: string, url: string, token: string): Promise<void> {
		this.load();
		await this.remove(name);
		const tokens = readStored(sessionStorage, STORED_TOKENS, Tokens) ?? {};
		if (token !== '') writeStored(sessionStorage, STORED_TOKENS, { ...tokens, [name]: token });
		const connecting = this.#connect(name, url);
		this.#keep();
		await connecting;
	}

	async remove(name: string): Promise<void> {
		this.list = this.list.filter((server) => server.name !== name);
		const { [name]: _gone, ...tokens } = readStored(sessionStorage, STORED_TOKENS, Tokens) ?? {};
		writeStored(sessionStorage, STORED_TOKENS, tokens);
		this.#keep();
		const connection = this.#connections.get(name);
		this.#connections.delete(name);
		this.#offer();
		await connection?.close();
	}

	async again(name: string): Promise<void> {
		const server = this.list.find((known) => known.name === name);
		if (server) await this.#connect(name, server.url);
	}

	/** Never rejects: the failure is shown next to the server. */
	async #connect(name: string, url: string): Promise<void> {
		this.#set({ name, url, state: 'connecting', tools: [], problem: null });
		try {
			const problem = await reachProblem(url);
			if (problem) return this.#set({ name, url, state: 'failed', tools: [], problem });
			const { connectMcpServer } = await import('#agent/extensions/mcp/connect.ts');
			const token = (readStored(sessionStorage, STORED_TOKENS, Tokens) ?? {})[name];
			const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
			const connection = await connectMcpServer({ name, url, headers });
			// The server may have been removed meanwhile.
			if (!this.list.some((server) => server.name === name)) return void connection.close();
			this.#connections.set(name, connection);
			const tools = connection.tools.map(({ definition }) => definition.name);
			this.#set({ name, url, state: 'ready', tools, problem: tools.length > 0 ? null : t.settings.noTools });
			this.#offer();
		} catch (error) {
			const problem = error instanceof Error ? error.message : String(error);
			this.#set({ name, url, state: 'failed', tools: [], problem });
		}
	}

	#set(server: McpServer): void {
		const known = this.list.some(({ name }) => name === server.name);
		this.list = known
			? this.list.map((other) => (other.name === server.name ? server : other))
			: [...this.list, server];
	}

	#offer(): void {
		this.#tools = [...this.#connections.values()].flatMap(({ tools }) => tools);
		for (const listener of this.#listeners) listener();
	}

	#keep(): void {
		const servers = this.list.map(({ name, url }) => ({ name, url }));
		writeStored(localStorage, STORED, servers.length > 0 ? servers : null);
	}
}

export const mcpServers = new McpServers();
