"""A plan as charts, a workbook, a two-page document and a folder of files."""

from __future__ import annotations
