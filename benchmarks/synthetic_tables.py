def tables(lines): return str(len(lines))
