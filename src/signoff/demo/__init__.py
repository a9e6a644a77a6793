"""A filled workspace for whoever comes for the first time: a small pottery's office, and how to be rid of it."""
