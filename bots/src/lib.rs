//! Players of the games, as a library.
