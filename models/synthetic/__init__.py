"""Our own drawings of every die face, and a painter of solid dice. No font or picture file is used."""
