import type { AppState } from '../app-state.svelte.ts';
import type { Command } from '../composer/commands.ts';
import type { Action } from '../palette/actions.ts';
import { settings } from '../settings/gate.svelte.ts';
import { t } from '../strings/index.ts';
import { theme } from '../theme.svelte.ts';
import { finder } from '../timeline/finder.svelte.ts';
import { SURFACES, type WorkbenchState } from '../workbench/workbench.svelte.ts';
import type { Project } from './project.svelte.ts';

interface Hands {
	share(): void;
	write(): void;
	/** Opens the palette, the list of shortcuts, or the file search. */
	open(what: 'palette' | 'help' | 'files'): void;
}

/** Actions of the palette and the keyboard on a project's screen. */
export function projectActions(app: AppState, project: Project, workbench: WorkbenchState, hands: Hands): Action[] {
	const { actions } = t.palette;
	const idle = (): boolean => project.status !== 'working' && project.writable;
	return [
		{ id: 'palette', label: actions.palette, keys: 'Ctrl+K', run: () => hands.open('palette') },
		{ id: 'quick-open', label: t.code.quickOpen.button, keys: 'Ctrl+P', run: () => hands.open('files') },
		{ id: 'find-in-files', label: t.code.find.title, keys: 'Ctrl+Shift+F', run: () => workbench.find() },
		{ id: 'help', label: actions.help, keys: '?', run: () => hands.open('help') },
		{ id: 'message', label: actions.message, keys: 'Alt+M', run: () => hands.write() },
		{
			id: 'stop',
			label: actions.stop,
			keys: 'Alt+S',
			run: () => app.attempt(project.stop()),
			possible: () => project.working
		},
		{
			id: 'find',
			label: actions.find,
			keys: 'Alt+F',
			run() {
				if (workbench.narrow) workbench.show('agent');
				finder.open();
			},
			possible: () => project.timeline.items.length > 0
		},
		...SURFACES.filter((surface) => surface !== 'agent').map((surface, index) => ({
			id: surface,
			label: actions.surface(t.tabs[surface]),
			keys: `Alt+${index + 1}`,
			run: () => workbench.show(surface)
		})),
		{ id: 'settings', label: actions.settings, keys: 'Ctrl+,', run: () => settings.show() },
		{ id: 'keys', label: actions.keys, run: () => settings.show('keys') },
		{ id: 'share', label: actions.share, run: () => hands.share() },
		{ id: 'compact', label: actions.compact, run: () => app.attempt(project.compact()), possible: idle },
		{ id: 'clear', label: actions.clear, run: () => app.attempt(project.clear()), possible: () => canClear(project) },
		...app.parts.modes.map((mode) => ({
			id: `mode-${mode}`,
			label: actions.mode(t.modes[mode][0]),
			run: () => project.setMode(mode),
			possible: () => project.writable && project.mode !== mode
		})),
		{ id: 'theme', label: actions.theme, run: () => theme.next() },
		{ id: 'home', label: actions.home, run: () => void (location.hash = '#/') }
	];
}

/** Slash commands of the page itself. */
export function projectCommands(app: AppState, project: Project, workbench: WorkbenchState, hands: Hands): Command[] {
	const { command } = t.composer;
	return [
		{ name: 'compact', description: command.compact, run: () => app.attempt(project.compact()) },
		{
			name: 'clear',
			description: command.clear,
			run() {
				if (!canClear(project)) throw new Error(command.notNow);
				app.attempt(project.clear());
			}
		},
		{ name: 'review', description: command.review, run: () => workbench.show('changes') },
		{ name: 'settings', description: command.settings, run: () => settings.show() },
		{ name: 'help', description: command.help, run: () => hands.open('help') }
	];
}

/**
 * Returns false while a fork is open: the agent's files differ from the project's, so the conversation must stay with
 * them.
 */
function canClear(project: Project): boolean {
	return project.status !== 'working' && project.writable && !project.fork.isOpen;
}
