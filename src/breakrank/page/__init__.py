"""The page: a local web app that asks the model the questions of the command line. It holds no model code.

The server (Starlette on uvicorn) answers on loopback only; the front end in ``static`` is built from the
folder ``page`` at the project's root.
"""
