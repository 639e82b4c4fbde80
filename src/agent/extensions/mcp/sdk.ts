import { loadOptionalPackage } from '#llm/optional-package.ts';

/** A server that cannot be used; the message is a sentence with a next step. */
export class McpError extends Error {
	override readonly name = 'McpError';
	readonly code = 'mcp';
}

/**
 * Loads a module of the protocol's SDK.
 * @throws McpError if it is not installed
 */
export function loadMcpSdk<Module>(load: () => Promise<Module>): Promise<Module> {
	return loadOptionalPackage('@modelcontextprotocol/sdk', load, (message, cause) => new McpError(message, { cause }));
}
