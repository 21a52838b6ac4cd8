"""Figures as people write them: numbers, hedges, units, and the cells of tables that hold them."""
