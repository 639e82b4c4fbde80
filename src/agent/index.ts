/**
 * The agent as a library: no DOM, no Node. A host in a few lines:
 *
 * ```ts
 * const session = new Session({ profile, environment, client, mode: 'full' });
 * for await (const event of session.submit('Make the failing test pass')) render(event);
 * await session.close();
 * ```
 */
export { Session } from './session.ts';
export { query, type ObjectQuery, type Query } from './query.ts';
export { tool, type CustomTool } from './custom-tool.ts';
export type { SessionParent } from './session-parts.ts';
export { runAgentLoop } from './loop/agent-loop.ts';
export type * from './loop/config.ts';
export { AgentRunner, type RunnerCallbacks } from './runner.ts';
export { MemoryLog, SESSION_LOG_VERSION } from './memory-log.ts';
export type { FileVersion } from './file-history.ts';
export { HookRunner, HOOK_TIMEOUT_MS, type Hook, type AgentPreparation, type SessionOperation } from './hooks.ts';
export {
	AttachmentRefusedError,
	ConfigValidationError,
	SessionBusyError,
	SessionClosedError,
	SessionOperationCancelled
} from './session-errors.ts';
export { compact, cutPoint, shouldCompact, type CompactionOutcome, type CompactionRequest } from './compaction.ts';
export { estimateTokens, estimateTextTokens } from './token-estimate.ts';
export { ContextMeter, approximateTokens } from './context-window.ts';
export { EventBroadcast, EventQueue } from './event-stream.ts';
export { toRequestMessages } from './request-history.ts';
export { DEFAULT_MAX_IMAGE_BYTES, type ImageLimits, type ImagePolicy, type ScaleImage } from './image-policy.ts';
export { connectMcpServer, type McpConnection, type McpServerOptions } from './extensions/mcp/connect.ts';
export { McpError } from './extensions/mcp/sdk.ts';
export type { ProjectHookTrust } from './extensions/project-hooks/load.ts';
export {
	parseProjectHooks,
	PROJECT_SETTINGS_PATH,
	ProjectSettingsError,
	type HookEvent,
	type ProjectHook
} from './extensions/project-hooks/settings.ts';
export type { Skill } from './extensions/skills/load.ts';
export type { FetchedPage, FetchPage } from './extensions/web/fetch-page.ts';
export { Subagents, SUBAGENT_MAX_TURNS } from './subagents.ts';
export { suggestTitle } from './title.ts';
export { TodoList } from './todo-list.ts';
export { InDirectory } from './in-directory.ts';
export { GuardRefusal, PermissionDenied } from './guards/refusals.ts';
export { ToolRegistry } from './tools/registry.ts';
export { createToolLimits, truncateForModel } from './tools/truncation.ts';
export { createGuards } from './guards/guards.ts';
export { collectPromptParts } from './prompt/collect.ts';
export * from './profiles/index.ts';
export { DELTA_EVENTS } from './events.ts';
export type * from './events.ts';
export type * from './api.ts';
export type * from './tool.ts';
export type * from './profile.ts';
export type * from './session-log.ts';
export type * from './todo.ts';
export type * from './guards/permission-types.ts';
export type { PermissionRule } from './guards/permission-rules.ts';
