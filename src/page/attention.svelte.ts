import { t } from './strings/index.ts';
import { visibleName } from './visible-text.ts';

const WANTED = 'sandglass:notify';

export type NotifyPermission = 'missing' | 'off' | 'on' | 'denied';

/** Calls a person back who looks elsewhere: by the tab's title, and by a notification where they asked for one. */
class Attention {
	/** Stands before the tab's title while there is news that was not looked at. */
	badge = $state(false);
	permission: NotifyPermission = $state(permissionNow());

	constructor() {
		document.addEventListener('visibilitychange', () => {
			if (!document.hidden) this.badge = false;
		});
	}

	/** From a click: browsers ask only then. */
	async ask(wanted: boolean): Promise<void> {
		localStorage.setItem(WANTED, wanted ? 'yes' : 'no');
		if (wanted && this.permission !== 'missing') await Notification.requestPermission();
		this.permission = permissionNow();
	}

	/** @param what became of it, a sentence */
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
