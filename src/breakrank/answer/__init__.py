"""One answer to any question, and its renderers: terminal, notebook, HTML, PDF, workbook and files."""
