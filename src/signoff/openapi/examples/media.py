"""The newsletter's image."""

from typing import Any

from signoff.platform.examples import ACCOUNT_ID, URL

_uploaded_file = {
    "downloadURL": f"{URL}/media/{ACCOUNT_ID}/med_01a1de8a4f3092c7b15e08d4a6f37c29e1b05d84",
    "originalName": "autumn.jpg",
    "size": 184_220,
    "contentType": "image/jpeg",
}

EXAMPLES: dict[str, Any] = {
    "Uploaded": {"success": True, "files": [_uploaded_file], "count": 1},
}
