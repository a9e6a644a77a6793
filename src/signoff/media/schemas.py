from typing import Literal

from pydantic import Field

from signoff.forms.fields.transform import transform_schema
from signoff.platform import examples
from signoff.platform.json_values import JsonObject
from signoff.platform.schemas import ResponseModel, example

UPLOADED_FILE_EXAMPLE = {
    "downloadURL": f"{examples.URL}/media/{examples.ACCOUNT_ID}/med_01a1de8a4f3092c7b15e08d4a6f37c29e1b05d84",
    "originalName": "autumn.jpg",
    "size": 184_220,
    "contentType": "image/jpeg",
}


class UploadedFile(ResponseModel):
    download_url: str = Field(
        alias="downloadURL",
        serialization_alias="downloadURL",
        description="URL of the stored file. Use it as the value of an image or video field.",
    )
    original_name: str = Field(description="Original file name.")
    size: int = Field(description="Size of the stored file in bytes.")
    content_type: str = Field(description="Detected content type.")


class Uploaded(ResponseModel):
    model_config = example({"success": True, "files": [UPLOADED_FILE_EXAMPLE], "count": 1})

    success: Literal[True] = True
    files: list[UploadedFile] = Field(description="Files in the order they were sent.")
    count: int


def upload_body() -> JsonObject:
    """The form as OpenAPI describes it: any number of files under any names, and the options."""
    config = {"description": "Resize and crop options for the images in this request.", **transform_schema()}
    return {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "properties": {
                        "file": {
                            "type": "string",
                            "contentMediaType": "application/octet-stream",
                            "description": "An image or a video. Add more parts for more files.",
                        },
                        "config": config,
                    },
                    "required": ["file"],
                    "additionalProperties": {"type": "string", "contentMediaType": "application/octet-stream"},
                },
                "encoding": {"config": {"contentType": "application/json"}},
                "example": {"file": "(the bytes of an image)", "config": {"width": 800, "fit": "inside"}},
            }
        },
    }
