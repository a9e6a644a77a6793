"""TypeScript: an interface for each payload."""

import re

from signoff.forms.codegen.identifiers import comment, type_name, typescript_string
from signoff.forms.codegen.types import ArrayOf, Either, MapOf, ObjectOf, OneOf, Plain, Type

_PLAIN = {"string": "string", "number": "number", "boolean": "boolean", "null": "null", "anything": "unknown"}
_IDENTIFIER = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*")


def write_typescript(title: str, name: str, objects: tuple[ObjectOf, ...]) -> str:
    prefix = type_name(name, "Review")
    parts = [f"// {comment(title)}\n"]
    parts += [f"export interface {prefix}{each.name} {_object(each, 0)}\n" for each in objects]
    return "\n".join(parts)


def _object(each: ObjectOf, depth: int) -> str:
    indent = "  " * (depth + 1)
    lines: list[str] = []
    for member in each.members:
        name = member.name if _IDENTIFIER.fullmatch(member.name) else typescript_string(member.name)
        if member.words:
            lines.append(f"{indent}/** {member.words} */")
        lines.append(f"{indent}{name}{'?' if member.optional else ''}: {_type(member.type, depth + 1)};")
    if each.more:
        lines.append(f"{indent}[other: string]: unknown;")
    return "{\n" + "\n".join(lines) + "\n" + "  " * depth + "}"


def _type(each: Type, depth: int) -> str:
    if isinstance(each, Plain):
        return _PLAIN[each.name]
    if isinstance(each, OneOf):
        texts = [typescript_string(text) for text in each.texts]
        # Accepts any other string too, while editors keep suggesting the known ones.
        return " | ".join([*texts, "(string & {})"] if each.others else texts)
    if isinstance(each, ArrayOf):
        return f"Array<{_type(each.items, depth)}>"
    if isinstance(each, MapOf):
        return f"Record<string, {_type(each.values, depth)}>"
    if isinstance(each, Either):
        return " | ".join(_type(part, depth) for part in each.parts)
    return _object(each, depth)
