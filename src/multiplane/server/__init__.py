"""The web server: UDPipe's REST contract, a JSON API, and the page. Needs the extra `server`."""
