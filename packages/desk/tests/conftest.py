"""What these tests share with those of the core: calling the command line, and a browser."""

from tests.cli.conftest import call
from tests.conftest import browser

__all__ = ["browser", "call"]
