"""A social post in each language of the screenshots: its review type's labels and its content."""

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from signoff.demo.seed.content.forms import SOCIAL


@dataclass(frozen=True, slots=True)
class LocalizedPost:
    review_type: str
    labels: Mapping[str, str]
    """By the ID of the field, option or group."""
    headline: str
    text: str

    @property
    def form(self) -> dict[str, Any]:
        form: dict[str, Any] = {**copy.deepcopy(SOCIAL), "name": self.review_type}
        # The browser writes date fields in its own language, and Chromium on Linux may have only English.
        form["fields"] = [field for field in form["fields"] if field["id"] != "when"]
        for field in form["fields"]:
            field["label"] = self.labels[field["id"]]
            for option in field.get("options", ()):
                option["label"] = self.labels.get(option["id"], option["label"])
        headline, columns, group = form["layout"]
        publishing = [{"kind": "field", "field": name} for name in ("channel", "confidence")]
        form["layout"] = [headline, columns, {**group, "label": self.labels[group["id"]], "children": publishing}]
        return form

    @property
    def data(self) -> dict[str, Any]:
        return {
            "headline": self.headline,
            "text": self.text,
            "channel": ["linkedin", "blog"],
            "confidence": 4,
        }


POSTS: Final[Mapping[str, LocalizedPost]] = {
    "de": LocalizedPost(
        "Social-Media-Beitrag",
        {
            "headline": "Überschrift",
            "text": "Text",
            "photo": "Bild",
            "channel": "Kanäle",
            "confidence": "Sicherheit des Agenten",
            "publishing": "Veröffentlichung",
            "blog": "Blog",
        },
        "Warum unser Blau jetzt anders ist",
        "Die Mine hat geschlossen. Also haben wir 214 Probekacheln gebrannt. **Nummer 187** hat gewonnen.",
    ),
    "ja": LocalizedPost(
        "SNS投稿",
        {
            "headline": "見出し",
            "text": "本文",
            "photo": "画像",
            "channel": "チャンネル",
            "confidence": "エージェントの確信度",
            "publishing": "公開",
            "blog": "ブログ",
        },
        "青の釉薬が変わった理由",
        "原料の鉱山が閉山したため、214枚のテストタイルを焼きました。選ばれたのは**187番**です。",
    ),
    "ar": LocalizedPost(
        "منشور على وسائل التواصل",
        {
            "headline": "العنوان",
            "text": "النص",
            "photo": "الصورة",
            "channel": "القنوات",
            "confidence": "ثقة الوكيل",
            "publishing": "النشر",
            "blog": "المدونة",
        },
        "لماذا تغيّر لوننا الأزرق",
        "أُغلق المنجم، فصنعنا 214 بلاطة تجريبية. وفازت **البلاطة رقم 187**.",
    ),
}
