"""Results of runs: variables, outcomes beside the record, and the files that they are kept in."""
