"""Teaching at the table: what people say of their dice is kept, counted, and learned from."""
