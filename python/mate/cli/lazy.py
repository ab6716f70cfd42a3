"""Commands by name: a file a command, each loaded when it is called and not before."""

from importlib import import_module
from typing import Any, ClassVar

import typer
from typer.core import TyperGroup


class LazyCommands(TyperGroup):
    """A group of commands; a subclass says which, and in which package their files are."""

    names: ClassVar[tuple[str, ...]]
    package: ClassVar[str]

    def list_commands(self, ctx: Any) -> list[str]:
        return list(self.names)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in self.names:
            return None
        command = typer.main.get_command(import_module(f"{self.package}.{cmd_name}").app)
        command.name = cmd_name
        return command
