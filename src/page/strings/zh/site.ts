import type { Strings } from '../en/index.ts';

/** Strings of the dialog that publishes a built site. */
export const site: Strings['site'] = {
	title: '发布网站',
	button: '发布网站……',
	looking: '正在查找已构建的网站……',
	none: '没有找到已构建的网站。请先构建项目，使 dist 之类的文件夹中有 index.html。',
	intro: '文件夹中的文件会原样发布，不含隐藏文件和 node_modules。',
	which: '文件夹',
	root: '项目本身',
	folder: (name, files, size) => `${name} · ${files} 个文件 · ${size}`,
	branch: '分支',
	how: (path, host) => `${host} 上 ${path} 的这个分支将只包含网站。请在仓库设置中把它选为 Pages 的来源，只需一次。`,
	noRemote: '这个项目没有可推送网站的 Git 远程仓库。请下载 zip，再上传到你的网站托管处。',
	message: '发布网站',
	zip: '下载 zip',
	push: '推送网站',
	pushed: (branch) => `网站已在分支 ${branch} 上。`
};
