"""Plan what a host has to provide: beds, files, money."""
