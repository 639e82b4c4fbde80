import type { Strings } from '../en/index.ts';

/** Strings about the page without its server, and about newer versions of it. */
export const offline: Strings['offline'] = {
	keep: '把页面和它的程序保存在这个浏览器里，没有网络也能打开',
	states: {
		missing: '这个浏览器或窗口不允许保存页面。只有连得上服务器时才能打开。',
		off: '没有保存：只有连得上服务器时才能打开。约 60 MB，需下载 30 MB。',
		loading: '正在保存……',
		partly: '到目前为止用到的都已保存。其余的会在以后访问时获取。',
		ready: '已全部保存。模型、导入和存储的分享仍需要网络。'
	},
	version: '版本',
	newer: '有新版本。',
	reload: '重新加载',
	later: '以后再说'
};
