/** Returns true if this browser lets a page write to a folder the user picks. */
export const canWriteFolders = (): boolean => window.showDirectoryPicker !== undefined;

/**
 * Lets the user pick a folder of this machine.
 *
 * @returns `null` if they pick none. Rejects if the browser does not show its picker
 */
export async function pickFolder(mode: 'read' | 'readwrite'): Promise<FileSystemDirectoryHandle | null> {
	if (!window.showDirectoryPicker) throw new DOMException('This browser has no folder picker.', 'NotSupportedError');
	try {
		return await window.showDirectoryPicker({ id: 'project', mode });
	} catch (error) {
		const changedMind = error instanceof DOMException && error.name === 'AbortError' && /user/i.test(error.message);
		if (changedMind) return null;
		throw error;
	}
}
