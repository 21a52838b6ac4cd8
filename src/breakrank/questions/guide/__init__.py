"""Which national numbers of a case matter most, and what its result hangs on."""
