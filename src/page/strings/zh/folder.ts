import type { Strings } from '../en/index.ts';

/** Strings of the dialog that writes back to a folder of this machine. */
export const folder: Strings['folder'] = {
	title: '写入本机文件夹',
	button: '保存到文件夹……',
	intro: '只写入这里更改过的内容。磁盘上期间被人改过的文件保持原样，除非你勾选它。',
	impossible: '这个浏览器不允许页面写入文件夹；Chromium、Chrome 和 Edge 可以。请改为保存 zip，再解压到你的文件夹。',
	name: '文件夹：',
	choose: '选择文件夹',
	other: '另选文件夹',
	allow: (name) => `允许写入 ${name}`,
	refused: (name) => `浏览器不能写入 ${name}。请在询问时允许，或另选文件夹。`,
	plan: (write, remove) => `要写入 ${write} 个文件，移除 ${remove} 个。`,
	already: (count) => `有 ${count} 个文件在那里已与这里相同。`,
	links: (count) => `有 ${count} 个符号链接，页面无法写入。`,
	conflicts: '读取之后在磁盘上被改过。请勾选要覆盖的：',
	write: '写入',
	done: (written, removed, left) => `写入了 ${written} 个文件，移除了 ${removed} 个，保留了磁盘上改过的 ${left} 个。`,
	checkpoint: (name) => `已写入 ${name}`
};
