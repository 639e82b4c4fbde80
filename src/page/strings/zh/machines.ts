import type { Strings } from '../en/index.ts';

const files = (count: number): string => `${count} 个文件`;

/** Strings about the machine that a session runs on. */
export const machines: Strings['machines'] = {
	title: '这个会话在哪里运行',
	button: (where) => `这个会话在哪里运行：${where}`,
	tab: '这个标签页',
	tabFacts: (cores) => `${cores} 个核心，可离线使用`,
	kinds: { docker: '更大的机器', host: '我的电脑' },
	names: { docker: '更大的机器', host: '你的电脑' },
	cores: (cores) => `${cores} 个核心`,
	memory: (size) => `${size} 内存`,
	folder: (name) => `运行此服务器的电脑上的文件夹 ${name}。命令在那里拥有你的权限。`,
	lives: (time) => `最长 ${time}`,
	left: (time) => `剩余 ${time}`,
	time: '时间',
	here: '当前位置',
	reconnecting: '正在重新连接…',
	lost: '连接已断开',
	move: { docker: '移到这里', host: '连接' },
	bringBack: '带回',
	close: '关闭',
	cancel: '取消',
	connecting: '正在启动机器…',
	preparing: '正在比较文件…',
	moving: (done, all) => `正在移动 ${done} / ${files(all)}…`,
	switching: '正在那边继续…',
	returning: '正在带回文件…',
	progress: '已移动的文件',
	replace: (replaced, removed) =>
		`那边的文件夹里有其他文件：${files(replaced)}会被替换，${files(removed)}会被删除。带回会话时不会恢复它们。`,
	replaceYes: '替换它们',
	replaceNo: '保留它们',
	takeOver: '改在这里使用',
	busy: '智能体正在工作。停止它或等它做完，才能移动会话。',
	fork: '有打开的副本。先批准或丢弃它，然后才能移动会话。',
	readOnly: '这个会话在另一个标签页中打开。先接管它，然后才能移动。',
	behind: (failure) => `标签页还没有复制最近的改动：${failure}`,
	note: '文件、历史和权限一起移动；node_modules 之类被忽略的大文件夹留在原处。回到更早的步骤在各台机器上都可行。',
	moved: (name) => `会话在 ${name} 上继续。`,
	broughtBack: '会话回到了这个标签页。',
	checkpoint: (name) => `移到 ${name}`,
	checkpointBack: '带回标签页',
	unreachable: '无法连接服务器。检查网络后再试；会话留在原处。',
	unreadable: '服务器的回答这个页面看不懂。请重新加载页面再试。'
};
