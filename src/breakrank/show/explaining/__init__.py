"""An explanation shown: sentences, tables, charts, a page."""
