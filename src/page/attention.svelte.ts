import { t } from './strings/index.ts';
import { visibleName } from './visible-text.ts';

const WANTED = 'sandglass:notify';

export type NotifyPermission = 'missing' | 'off' | 'on' | 'denied';

/** Notifies a user who is looking elsewhere: in the tab's title, and by a notification if enabled. */
class Attention {
	/** Shown in front of the tab's title while there is news. */
	badge = $state(false);
	permission: NotifyPermission = $state(permissionNow());

	constructor() {
		document.addEventListener('visibilitychange', () => {
			if (!document.hidden) this.badge = false;
		});
	}

	/** Must be called from a click handler: browsers show the prompt only then. */
	async ask(wanted: boolean): Promise<void> {
		localStorage.setItem(WANTED, wanted ? 'yes' : 'no');
		if (wanted && this.permission !== 'missing') await Notification.requestPermission();
		this.permission = permissionNow();
	}

	/** @param what outcome, a sentence */
	call(title: string, what: string): void {
		if (!document.hidden) return;
		this.badge = true;
		if (this.permission !== 'on') return;
		const notification = new Notification(`${visibleName(title)} – ${t.product}`, { body: what, tag: title });
		notification.onclick = () => {
			window.focus();
			notification.close();
		};
	}
}

function permissionNow(): NotifyPermission {
	if (!('Notification' in globalThis)) return 'missing';
	if (Notification.permission === 'denied') return 'denied';
	const wanted = localStorage.getItem(WANTED) === 'yes';
	return wanted && Notification.permission === 'granted' ? 'on' : 'off';
}

export const attention = new Attention();
