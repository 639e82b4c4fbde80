import type { Strings } from '../en/index.ts';

/** Strings about a session that is damaged in storage. */
export const damage: Strings['damage'] = {
	title: '这个会话在浏览器存储中的一部分已损坏。',
	rest: '其余内容都在。下面列出的内容页面无法恢复；原始文件里保存着剩下的部分。',
	conversation_lines: (count) => `对话至少丢失了 ${count} 条记录。`,
	conversation_missing: '对话已丢失。',
	change_lines: (count) => `至少有 ${count} 条文件更改记录无法读取，因此有些文件可能是旧的、缺失了，或者又出现了。`,
	changes_missing: (contents) =>
		contents === 0 ? '文件已丢失。' : `文件列表已丢失，因此无法打开任何文件。${contents} 份内容还在原始文件里。`,
	last_changes: (count, paths) => `对文件的最后 ${count} 处更改：文件保持在更改之前的样子。${paths}`,
	files: (count, paths) => `${count} 个文件的内容已丢失，项目里现在没有它们：${paths}`,
	checkpoints: (count) => `有 ${count} 个检查点无法再返回。`,
	more: (count) => `以及另外 ${count} 个`,
	download: '下载原始文件',
	none: '这个浏览器里没有这个会话的任何内容。',
	dismiss: '关闭'
};
