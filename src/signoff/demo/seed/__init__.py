"""The demo's data: a small pottery with a month of reviews and chats."""
