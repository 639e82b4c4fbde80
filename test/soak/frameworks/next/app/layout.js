import './app.css';

export default function Layout({ children }) {
	return (
		<html lang="en">
			<body>
				<header>Orchard</header>
				{children}
			</body>
		</html>
	);
}
