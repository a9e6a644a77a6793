"""Pages that the service renders itself: the API reference, and a placeholder until the web app is built."""
