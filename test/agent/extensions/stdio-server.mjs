// A real MCP server on standard streams, based on the official SDK.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const server = new McpServer({ name: 'variables', version: '1' });
server.registerTool(
	'read',
	{ description: 'Reads a variable.', inputSchema: { name: z.string() }, annotations: { readOnlyHint: true } },
	({ name }) => ({ content: [{ type: 'text', text: `${name}=${process.env[name] ?? ''} in ${process.cwd()}` }] })
);
await server.connect(new StdioServerTransport());
