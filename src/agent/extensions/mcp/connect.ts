import { z } from 'zod';
import type { ToolBinding } from '../../tool.ts';
import { loadMcpSdk, McpError } from './sdk.ts';
import { mcpTool, type McpTool } from './tool.ts';

/** A server that speaks the Model Context Protocol over Streamable HTTP. */
export interface McpServerOptions {
	/** Letters, digits, `_` and `-`: its tools are called `name__tool`. */
	name: string;
	/** Absolute. */
	url: string;
	/** E.g. `authorization`. */
	headers?: Record<string, string>;
	/** Replaces the global `fetch`. */
	fetch?: typeof globalThis.fetch;
	/** Timeout for connecting and for each call, in ms. Default 60,000. */
	timeoutMs?: number;
}

export interface McpConnection {
	readonly name: string;
	/** The server's own instructions: untrusted. */
	readonly instructions: string;
	readonly tools: ToolBinding[];
	close(): Promise<void>;
}

const serverName = z.string().regex(/^[A-Za-z0-9_-]{1,32}$/);
const DEFAULT_TIMEOUT_MS = 60_000;

/** A server reached over any transport of the protocol's SDK. */
export interface McpEndpoint {
	/** Letters, digits, `_` and `-`: its tools are called `name__tool`. */
	name: string;
	/** Shown to the user and in permission rules, e.g. its URL. */
	address: string;
	/** Hint for the error: things to check if it cannot be used. */
	advice: string;
	timeoutMs?: number | undefined;
	/** Creates the transport; called once. */
	transport(): Promise<unknown>;
}

/**
 * Connects to a server over Streamable HTTP and reads its tools.
 *
 * @throws McpError when the name or address is invalid, or the server does not speak the protocol
 */
export async function connectMcpServer(options: McpServerOptions): Promise<McpConnection> {
	if (!URL.canParse(options.url)) throw new McpError(`“${options.url}” is no address. Give one like https://host/mcp.`);
	return connectOver({
		name: options.name,
		address: options.url,
		advice: 'Check its address and key.',
		timeoutMs: options.timeoutMs,
		async transport() {
			const { StreamableHTTPClientTransport } = await loadMcpSdk(
				() => import('@modelcontextprotocol/sdk/client/streamableHttp.js')
			);
			return new StreamableHTTPClientTransport(new URL(options.url), {
				requestInit: { headers: options.headers ?? {} },
				...(options.fetch ? { fetch: options.fetch } : {})
			});
		}
	});
}

/**
 * Connects to a server over a transport and reads its tools.
 *
 * @throws McpError when the name is invalid, or the server does not speak the protocol
 */
export async function connectOver(endpoint: McpEndpoint): Promise<McpConnection> {
	const { name, address, timeoutMs: timeout = DEFAULT_TIMEOUT_MS } = endpoint;
	if (!serverName.safeParse(name).success)
		throw new McpError(`“${name}” is no name for a server. Take up to 32 letters, digits, _ and -.`);
	const { Client } = await loadMcpSdk(() => import('@modelcontextprotocol/sdk/client/index.js'));
	const client = new Client({ name: 'sandglass', version: '1' });
	try {
		// The SDK's transports declare optional members as possibly undefined, which `exactOptionalPropertyTypes`
		// distinguishes.
		await client.connect((await endpoint.transport()) as Parameters<typeof client.connect>[0], { timeout });
		const found: McpTool[] = [];
		for (let cursor: string | undefined; ;) {
			const page = await client.listTools(cursor === undefined ? {} : { cursor }, { timeout });
			found.push(...page.tools);
			cursor = page.nextCursor;
			if (cursor === undefined || found.length > 1_000) break;
		}
		const call = (tool: string, args: Record<string, unknown>, signal: AbortSignal) =>
			client.callTool({ name: tool, arguments: args }, undefined, { signal, timeout });
		return {
			name,
			instructions: client.getInstructions() ?? '',
			tools: found.map((tool) => mcpTool({ server: name, url: address, call }, tool)),
			close: () => client.close()
		};
	} catch (error) {
		await client.close();
		const reason = error instanceof Error ? error.message : String(error);
		throw new McpError(`The MCP server ${name} at ${address} could not be used: ${reason}. ${endpoint.advice}`);
	}
}
