"""Python: a Pydantic model for every object in a payload."""

from signoff.forms.codegen.identifiers import attribute_name, comment, find_unused_name, python_string, type_name
from signoff.forms.codegen.types import ArrayOf, Either, MapOf, Member, ObjectOf, OneOf, Plain, Type

_PLAIN = {"string": "str", "number": "int | float", "boolean": "bool", "null": "None", "anything": "Any"}
_HEAD = """\
# {title}
#
# Read an event:    {prefix}Event.model_validate_json(body)
# Write a request:  data.model_dump(by_alias=True, exclude_unset=True, mode="json")

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field
"""


def write_python(title: str, name: str, objects: tuple[ObjectOf, ...]) -> str:
    prefix = type_name(name, "Review")
    writer = _Writer()
    for each in objects:
        writer.write(each, f"{prefix}{each.name}")
    return "\n\n".join([_HEAD.format(title=comment(title), prefix=prefix), *writer.classes])


class _Writer:
    """Writes nested objects before those that contain them, each under its own name."""

    def __init__(self) -> None:
        self.classes: list[str] = []
        self._names: dict[ObjectOf, str] = {}
        self._taken: set[str] = {"Any", "BaseModel", "ConfigDict", "Field", "Literal"}

    def write(self, each: ObjectOf, name: str) -> str:
        known = self._names.get(each)
        if known is not None:
            return known
        name = find_unused_name(name, self._taken)
        self._taken.add(name)
        self._names[each] = name
        extra = "allow" if each.more else "forbid"
        lines = [f"class {name}(BaseModel):"]
        lines.append(f'    model_config = ConfigDict(populate_by_name=True, extra="{extra}")')
        attributes: set[str] = set()
        for member in each.members:
            attribute = attribute_name(member.name, attributes)
            attributes.add(attribute)
            lines += ["", *self._member(member, attribute, name)]
        self.classes.append("\n".join(lines) + "\n")
        return name

    def _member(self, member: Member, attribute: str, within: str) -> list[str]:
        kind = self._type(member.type, within + type_name(member.name, "Part"))
        if member.optional and kind != "Any" and not kind.endswith("None"):
            kind = f"{kind} | None"
        settings = ["default=None"] if member.optional else []
        settings += [f"alias={python_string(member.name)}"] if member.name != attribute else []
        value = ""
        if len(settings) == 1 and member.optional:
            value = " = None"
        elif settings:
            value = f" = Field({', '.join(settings)})"
        comment = [f"    # {member.words}"] if member.words else []
        return [*comment, f"    {attribute}: {kind}{value}"]

    def _type(self, each: Type, name: str) -> str:
        if isinstance(each, Plain):
            return _PLAIN[each.name]
        if isinstance(each, OneOf):
            texts = ", ".join(python_string(text) for text in each.texts)
            return f"Literal[{texts}] | str" if each.others else f"Literal[{texts}]"
        if isinstance(each, ArrayOf):
            return f"list[{self._type(each.items, name)}]"
        if isinstance(each, MapOf):
            return f"dict[str, {self._type(each.values, name)}]"
        if isinstance(each, Either):
            return " | ".join(self._type(part, self._part_name(name, part)) for part in each.parts)
        return self.write(each, name)

    @staticmethod
    def _part_name(name: str, part: Type) -> str:
        inner = part.items if isinstance(part, ArrayOf) else part
        return name + inner.name if isinstance(inner, ObjectOf) and inner.name in _GENERAL else name


_GENERAL = frozenset({"Offer", "Choice", "Item", "Option", "Preselected"})
"""Names that describe an object in any field; all other names come from the properties that lead to it."""
