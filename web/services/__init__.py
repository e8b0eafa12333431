"""What the pages need of the running program: a protocol for each area, and `Backends`, which holds them."""
