"""What the observed figures say about parameters: prior, emulator, sampler, particle filter, ensemble."""
