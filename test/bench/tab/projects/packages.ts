/** Packages of a full application; 1,715 with their dependencies, in November 2026. */
export const MANY_PACKAGES = {
	name: 'many-packages',
	private: true,
	dependencies: {
		'@nestjs/cli': '11.0.10',
		'@storybook/react-webpack5': '8.6.14',
		'react-scripts': '5.0.1',
		'semantic-release': '24.2.9',
		storybook: '8.6.14'
	}
};

/** Packages of a small site, some 300 with their dependencies. */
export const SITE_PACKAGES = {
	name: 'site',
	private: true,
	dependencies: { react: '19.2.0', 'react-dom': '19.2.0' },
	devDependencies: {
		'@types/react': '19.2.2',
		'@types/react-dom': '19.2.2',
		'@vitejs/plugin-react': '5.1.0',
		jest: '29.7.0',
		typescript: '5.9.3',
		vite: '7.2.2'
	}
};
