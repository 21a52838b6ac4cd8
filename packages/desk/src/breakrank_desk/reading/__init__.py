"""From bytes to paragraphs.

Formats are taken apart in a child process with limits, kinds are told apart here.
"""
