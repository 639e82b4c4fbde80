export type SettingsSection = 'session' | 'agent' | 'permissions' | 'keys' | 'tools' | 'page';

/** State of the settings dialog: whether it is open, and at which section. */
class SettingsGate {
	section: SettingsSection | null = $state(null);

	show(section: SettingsSection = 'session'): void {
		this.section = section;
	}

	close(): void {
		this.section = null;
	}
}

export const settings = new SettingsGate();
