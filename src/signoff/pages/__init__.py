"""Pages that the service shows by itself: the API reference, and what stands in until the web application is there."""
