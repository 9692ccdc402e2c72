//! All tests of this package, in one program.

mod time_is_up;
