import type { Component } from 'svelte';
import type { Item, ItemKind } from './items.ts';
import type { ToolKind } from './tool-kind.ts';
import Agent from './renderers/Agent.svelte';
import Compacted from './renderers/Compacted.svelte';
import Diagnostics from './renderers/Diagnostics.svelte';
import EditTool from './renderers/EditTool.svelte';
import End from './renderers/End.svelte';
import ErrorItem from './renderers/ErrorItem.svelte';
import Forked from './renderers/Forked.svelte';
import Limit from './renderers/Limit.svelte';
import Moved from './renderers/Moved.svelte';
import Notice from './renderers/Notice.svelte';
import OtherTool from './renderers/OtherTool.svelte';
import Permission from './renderers/Permission.svelte';
import PreviewTool from './renderers/PreviewTool.svelte';
import Question from './renderers/Question.svelte';
import ReadTool from './renderers/ReadTool.svelte';
import Reasoning from './renderers/Reasoning.svelte';
import Retry from './renderers/Retry.svelte';
import SearchTool from './renderers/SearchTool.svelte';
import ShellTool from './renderers/ShellTool.svelte';
import Text from './renderers/Text.svelte';
import TodoTool from './renderers/TodoTool.svelte';
import Unshown from './renderers/Unshown.svelte';
import User from './renderers/User.svelte';

/** A renderer gets one item; it accesses the project through `timelineActions`. */
export type Renderer = Component<{ item: never }>;

type RendererKey = Exclude<ItemKind, 'tool'> | `tool:${ToolKind}`;

const renderers = new Map<RendererKey, Renderer>([
	['user', User],
	['text', Text],
	['reasoning', Reasoning],
	['permission', Permission],
	['question', Question],
	['retry', Retry],
	['end', End],
	['error', ErrorItem],
	['forked', Forked],
	['moved', Moved],
	['notice', Notice],
	['limit', Limit],
	['unshown', Unshown],
	['compacted', Compacted],
	['diagnostics', Diagnostics],
	['agent', Agent],
	['tool:shell', ShellTool],
	['tool:read', ReadTool],
	['tool:edit', EditTool],
	['tool:write', EditTool],
	['tool:patch', EditTool],
	['tool:input', ShellTool],
	['tool:list', SearchTool],
	['tool:search', SearchTool],
	['tool:preview', PreviewTool],
	['tool:todo', TodoTool]
]);

/** Adds or replaces the renderer for a kind of item or tool. @public For hosts that embed the page. */
export function registerRenderer(key: RendererKey, renderer: Renderer): void {
	renderers.set(key, renderer);
}

/** Renderer for an item; unknown tools get the default card. */
export function rendererOf(item: Item): Component<{ item: Item }> {
	const key: RendererKey = item.kind === 'tool' ? `tool:${item.tool}` : item.kind;
	return (renderers.get(key) ?? OtherTool) as Component<{ item: Item }>;
}
